import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiledCode, freePort, metricValue, until } from '@engawa/testing';
import type { StartedTable } from '../table.ts';

/** The service in its own process, with a limited heap. */
export interface ChildReplica {
  /** URL of the API. */
  api: string;
  metric(name: string): Promise<number>;
  /** Status of /livez. */
  isAlive(): Promise<boolean>;
  /** Exit reason; undefined while the process runs. */
  ended(): string | undefined;
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface ChildOptions {
  /** Maximum old generation of the main thread in megabytes. */
  heapMb: number;
  environment?: Record<string, string>;
}

/** Resolves when /livez responds. */
export async function startChild(
  started: StartedTable,
  { heapMb, environment = {} }: ChildOptions,
): Promise<ChildReplica> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const main = join(__dirname, '../../src/main.ts');
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, main], {
    env: {
      ...started.environment,
      PATH: process.env['PATH'],
      ...compiledCode(),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MINUTE: '0',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  let end: string | undefined;
  const exited = once(child, 'exit').then(([code, signal]) => (end = `${code} ${signal}`));
  const metrics = `http://127.0.0.1:${metricsPort}`;
  const isAlive = () => fetch(`${metrics}/livez`).then(({ ok }) => ok, returnsFalse);
  await until('the replica to be alive', async () => end !== undefined || (await isAlive()));
  return {
    api: `http://127.0.0.1:${port}`,
    metric: (name) => metricValue(metrics, name),
    isAlive,
    ended: () => end,
    kill: async (signal) => {
      if (end === undefined) child.kill(signal);
      await exited;
    },
  };
}

function returnsFalse(): boolean {
  return false;
}
