import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort as freePort } from '@engawa/embedded';
import { until } from '../running/until.ts';

/** As in the chart: by default of Node it takes up to 192 MB beside a heap of any size. */
const youngGeneration = ['--max-semi-space-size=8'];

interface SmallHeapOptions {
  /** The path of its `main.ts`. */
  main: string;
  /** Megabytes. */
  heap: number;
  environment: Readonly<Record<string, string>>;
}

const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** A service in a process of its own, with the heap of the chart. */
export async function startWithHeap({ main, heap, environment }: SmallHeapOptions) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const service = spawn(
    process.execPath,
    [`--max-old-space-size=${heap}`, ...youngGeneration, main],
    {
      env: {
        ...environment,
        PATH: process.env['PATH'],
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        LOG_LEVEL: 'error',
      },
      // Jest would take the last words of a service without memory for those of its own process.
      stdio: ['ignore', 'inherit', 'ignore'],
    },
  );
  const ended = once(service, 'exit');
  const probes = `http://127.0.0.1:${metricsPort}`;
  await until('the service to be ready', () => isOk(`${probes}/readyz`));
  return {
    api: `http://127.0.0.1:${port}`,
    isAlive: () => isOk(`${probes}/livez`),
    isRunning: () => service.exitCode === null && service.signalCode === null,
    close: async () => {
      service.kill('SIGTERM');
      await ended;
    },
  };
}
