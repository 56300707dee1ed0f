import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, tiedToParent } from '@engawa/embedded';
import { Metrics } from './metrics.ts';
import type { ChildProcess } from 'node:child_process';

const workspace = resolve(fileURLToPath(import.meta.url), '../../../..');

/** Milliseconds that a service may take to become ready: a broker answers its SUBSCRIBE behind the backlog. */
const patience = 300_000;

export interface ServiceProcessOptions {
  /** Its folder in `apps/`. */
  service: string;
  environment: Record<string, string>;
  nodeOptions?: readonly string[];
}

/** A service as the process it is in production. */
export class ServiceProcess {
  readonly #service: string;
  readonly #child: ChildProcess;
  readonly #metricsUrl: string;

  /** Resolves when it is ready. */
  static async start(options: ServiceProcessOptions): Promise<ServiceProcess> {
    const started = new ServiceProcess(options, await findFreePort());
    try {
      await started.#untilReady();
      return started;
    } catch (error) {
      await started.close();
      throw error;
    }
  }

  private constructor(
    { service, environment, nodeOptions = [] }: ServiceProcessOptions,
    metricsPort: number,
  ) {
    const line = [process.execPath, ...nodeOptions, `apps/${service}/src/main.ts`] as const;
    const { command, args } = tiedToParent('KILL', line);
    this.#service = service;
    this.#metricsUrl = `http://127.0.0.1:${metricsPort}`;
    this.#child = spawn(command, args, {
      cwd: workspace,
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        PORT: '0',
        METRICS_PORT: String(metricsPort),
        ...environment,
      },
      // A group of its own: Ctrl-C is for the bench.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }

  metrics(): Promise<Metrics> {
    return Metrics.of(this.#metricsUrl);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await gone;
  }

  async #untilReady(): Promise<void> {
    const deadline = Date.now() + patience;
    while (Date.now() < deadline) {
      if (this.#child.exitCode !== null) throw new Error(`${this.#service} ended at its start`);
      const answer = await fetch(`${this.#metricsUrl}/readyz`).catch(() => undefined);
      if (answer?.ok === true) return;
      await sleep(50);
    }
    throw new Error(`${this.#service} does not become ready`);
  }
}
