import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tiedToParent } from '@engawa/embedded';
import { freePort } from '@engawa/testing';
import type { CpuQuota } from '@engawa/testing';
import type { ChildProcess } from 'node:child_process';

const workspace = resolve(__dirname, '../../..');

export interface ServiceProcess {
  /** Of its API. */
  url: string;
  /** Of its probes and metrics. */
  metricsUrl: string;
  /** Stops and continues it, among others. */
  signal(signal: NodeJS.Signals): void;
  /**
   * Ends it as a crash would, or as Kubernetes does, and waits until it is gone.
   * @returns its exit code; null where it was killed
   */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/**
 * Runs a service as the process it is in production, and waits until it is ready.
 * @param quota of the CPU that it may use; all of it when absent
 */
export async function startServiceProcess(
  name: string,
  environment: Record<string, string>,
  quota?: CpuQuota,
): Promise<ServiceProcess> {
  try {
    return await startOnFreePorts(name, environment, quota);
  } catch {
    // Between being found free and being opened a port may have been taken by a test beside this one.
    return await startOnFreePorts(name, environment, quota);
  }
}

async function startOnFreePorts(
  name: string,
  environment: Record<string, string>,
  quota: CpuQuota | undefined,
): Promise<ServiceProcess> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const line = [process.execPath, `apps/${name}/src/main.ts`] as const;
  const { command, args } = tiedToParent('KILL', quota?.commandLine(line) ?? line);
  const child = spawn(command, args, {
    cwd: workspace,
    env: {
      LOG_LEVEL: 'warn',
      // The oracle asks as fast as it can.
      RATE_LIMIT_PER_MINUTE: '0',
      ...environment,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const metricsUrl = `http://127.0.0.1:${metricsPort}`;
  await untilReady(name, child, metricsUrl);
  return {
    url: `http://127.0.0.1:${port}`,
    metricsUrl,
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill(signal);
        await gone;
      }
      return child.exitCode;
    },
  };
}

async function untilReady(name: string, child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.ok === true) return;
    await sleep(50);
  }
}
