import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { freePort } from '@engawa/testing';
import { untilReady } from './running-image.ts';

export interface ContainerOptions {
  image: string;
  /** What the image is told to be. */
  args: string[];
  environment: Record<string, string>;
  /** More of `docker run`. */
  options?: readonly string[];
}

/** As a cluster with restricted pod security runs it, and without a place to write to. */
export const restricted = [
  ['--read-only'],
  ['--cap-drop', 'ALL'],
  ['--security-opt', 'no-new-privileges'],
  ['--user', '1000:1000'],
].flat();

/** @returns what the Docker client printed */
async function docker(...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('docker', args, { maxBuffer: 2 ** 24 });
  return stdout + stderr;
}

/** A container of the image, on this machine's own network. */
export class Container {
  readonly url: string;
  readonly metricsUrl: string;
  readonly #name: string;

  static async start(options: ContainerOptions): Promise<Container> {
    const name = `engawa-test-${randomUUID()}`;
    const [port, metricsPort] = [String(await freePort()), String(await freePort())];
    const own = { HOST: '127.0.0.1', PORT: port, METRICS_PORT: metricsPort };
    const variables = Object.entries({ ...own, ...options.environment });
    await docker(
      ...['run', '--detach', '--name', name, '--network', 'host'],
      ...(options.options ?? []),
      ...variables.flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
      options.image,
      ...options.args,
    );
    return new Container(name, port, metricsPort);
  }

  private constructor(name: string, port: string, metricsPort: string) {
    this.#name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.metricsUrl = `http://127.0.0.1:${metricsPort}`;
  }

  /** @throws Error with its log, where it does not become ready */
  async untilReady(): Promise<void> {
    try {
      await untilReady('the container', () => this.metricsUrl);
    } catch (error) {
      throw new Error(await this.logs(), { cause: error });
    }
  }

  /** Sends SIGTERM, and waits for the end as Kubernetes does: 30 seconds. @returns the exit code */
  async stop(): Promise<number> {
    await docker('stop', '--time', '30', this.#name);
    return await this.wait();
  }

  /** Waits until it ends. @returns the exit code */
  async wait(): Promise<number> {
    return Number(await docker('wait', this.#name));
  }

  logs(): Promise<string> {
    return docker('logs', this.#name);
  }

  /** What is other than in the image, a line each. */
  changedFiles(): Promise<string> {
    return docker('diff', this.#name);
  }

  /** What a command in it prints. */
  exec(...command: string[]): Promise<string> {
    return docker('exec', this.#name, ...command);
  }

  async remove(): Promise<void> {
    await docker('rm', '--force', '--volumes', this.#name);
  }
}
