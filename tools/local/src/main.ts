import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { readPorts } from './addresses.ts';
import { help, parseOptions } from './options.ts';
import { Stack } from './stack.ts';
import { homeUrls, summary } from './summary.ts';

const print = (line: string): void => console.log(line);

/** Aborts at the first signal; further signals are ignored, since everything stops within five seconds. */
function untilInterrupted(): AbortController {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interrupted.abort(new Error('interrupted')));
  }
  return interrupted;
}

/** Resolves when each URL answers with data. */
async function untilAnswered(urls: readonly string[], signal: AbortSignal): Promise<void> {
  for (const url of urls) while (!(await isAnswered(url))) await sleep(100, undefined, { signal });
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const body = (await (await fetch(url)).json()) as object;
    return Object.values(body).some((list) => Array.isArray(list) && list.some(hasData));
  } catch {
    return false;
  }
}

/** Aggregates have buckets even without readings. */
function hasData({ fields }: { fields?: object }): boolean {
  return fields === undefined || Object.keys(fields).length > 0;
}

async function run(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    console.log(help);
    return 0;
  }
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([, value]) => value !== ''),
  );
  const ports = readPorts(environment);
  const interrupted = untilInterrupted();
  const { signal } = interrupted;
  let failure: string | undefined;
  const onEnd = (description: string): void => {
    failure ??= description;
    interrupted.abort(new Error(description));
  };
  const stack = new Stack({ ...options, environment, ports, signal, print, onEnd });
  try {
    await stack.start();
    if (options.simulator) {
      stack.startSimulator();
      await untilAnswered(homeUrls(ports), signal);
    }
    print(summary(stack, ports, options.simulator));
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  } catch (error) {
    if (!signal.aborted) failure = error instanceof OperatorError ? error.message : String(error);
  }
  if (failure === undefined) print('\nstopping …');
  await stack.stop();
  if (failure !== undefined) console.error(`engawa: ${failure}`);
  return failure === undefined ? 0 : 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`engawa: ${error.message}`);
  process.exitCode = 1;
}
