import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { tiedToParent } from '@engawa/embedded';
import { freePort, Metrics, metricValue, until } from '@engawa/testing';
import type { ChildProcess } from 'node:child_process';

const root = join(__dirname, '../../..');

/** Ingestion as a process with its own heap. */
export class IngestionChild {
  readonly #child: ChildProcess;
  readonly api: string;
  readonly #metrics: string;

  /** Resolves when it is ready. */
  static async start(
    environment: Record<string, string>,
    nodeOptions: readonly string[],
  ): Promise<IngestionChild> {
    const ports = { api: await freePort(), metrics: await freePort() };
    const child = new IngestionChild(environment, nodeOptions, ports);
    try {
      await until('a ready child', () => child.#isReady());
      return child;
    } catch (error) {
      await child.kill();
      throw error;
    }
  }

  private constructor(
    environment: Record<string, string>,
    nodeOptions: readonly string[],
    ports: { api: number; metrics: number },
  ) {
    this.api = `http://127.0.0.1:${ports.api}`;
    this.#metrics = `http://127.0.0.1:${ports.metrics}`;
    const main = join(root, 'apps/ingestion/src/main.ts');
    const line = [process.execPath, ...nodeOptions, main] as const;
    const { command, args } = tiedToParent('KILL', line);
    this.#child = spawn(command, args, {
      env: {
        PATH: process.env['PATH'],
        PORT: String(ports.api),
        METRICS_PORT: String(ports.metrics),
        LOG_LEVEL: 'error',
        ...environment,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }

  /** 0 if the process has ended, which tests detect with `isRunning`. */
  metric(name: string): Promise<number> {
    return metricValue(this.#metrics, name);
  }

  metrics(): Promise<Metrics> {
    return Metrics.of(this.#metrics);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  close(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Ends the process like a crash. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill(signal);
    await gone;
  }

  async #isReady(): Promise<boolean> {
    if (!this.isRunning) throw new Error('ingestion ended at its start');
    const answer = await fetch(`${this.#metrics}/readyz`).catch(() => undefined);
    return answer?.ok === true;
  }
}
