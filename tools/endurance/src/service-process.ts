import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, tiedToParent } from '@engawa/embedded';
import type { ChildProcess } from 'node:child_process';

const workspace = resolve(import.meta.dirname, '../../..');

/** A service as the process it is in production. */
export class ServiceProcess {
  readonly url: string;
  readonly metricsUrl: string;
  readonly #child: ChildProcess;

  /** Resolves once the process runs, which is before it is ready. */
  static async start(
    name: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<ServiceProcess> {
    return new ServiceProcess(name, environment, await findFreePort(), await findFreePort());
  }

  private constructor(
    name: string,
    environment: Readonly<Record<string, string>>,
    port: number,
    metricsPort: number,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    this.metricsUrl = `http://127.0.0.1:${metricsPort}`;
    const line = [process.execPath, `apps/${name}/src/main.ts`] as const;
    const { command, args } = tiedToParent('KILL', line);
    const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) };
    this.#child = spawn(command, args, {
      cwd: workspace,
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...environment, ...ports },
      // Ctrl-C is for this command, which ends the services itself.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves to whether it became ready; false where it was ended first. */
  async ready(): Promise<boolean> {
    while (this.isRunning) {
      const answer = await fetch(`${this.metricsUrl}/readyz`).catch(() => undefined);
      if (answer?.ok === true) return true;
      await sleep(100);
    }
    return false;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!this.isRunning) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill(signal);
    await gone;
  }
}
