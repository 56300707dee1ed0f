import { OperatorError } from '@engawa/errors';
import { help, parseOptions } from './options.ts';
import { run } from './run.ts';

/** Runs the simulator until it is complete, or until SIGINT or SIGTERM. */
export async function simulate(args: string[]): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    const options = parseOptions(args, process.env);
    if (options === 'help') print(help);
    else await run(options, { signal: stop.signal, print });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`simulator: ${error.message}\n`);
    process.exitCode = 1;
  }
}
