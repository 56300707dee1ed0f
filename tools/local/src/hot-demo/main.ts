import { OperatorError } from '@engawa/errors';
import { BrokenPromise } from './broken-promise.ts';
import { DemoStack, limit } from './demo-stack.ts';
import { wrapped } from './narration.ts';
import { help, parseOptions } from './options.ts';
import { Story } from './story.ts';
import type { Options } from './options.ts';

const introduction = `Engawa keeps everything in one DynamoDB table. DynamoDB lets each partition key be written 1,000 units a second, however large the table is; a key that wants more is throttled. Here a key takes ${limit} units, so that this machine can make one hot.`;

const print = (line: string): void => console.log(line);

/** Aborts with the first signal; more of them change nothing. */
function untilInterrupted(): AbortController {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interrupted.abort(new Error('interrupted')));
  }
  return interrupted;
}

/** @returns why it is not as promised, in a sentence */
async function show({ relief, patience }: Options): Promise<string | undefined> {
  const interrupted = untilInterrupted();
  const { signal } = interrupted;
  let failure: string | undefined;
  const onEnd = (description: string): void => {
    failure ??= description;
    interrupted.abort(new Error(description));
  };
  const stack = new DemoStack({ relief, signal, print, onEnd });
  for (const line of wrapped(introduction)) print(line);
  print(
    '\nstarting a DynamoDB API, a simulator before it that throttles, a broker and three services …',
  );
  try {
    await stack.start();
    await new Story({ stack, patience, signal, print }).tell();
  } catch (error) {
    if (!signal.aborted) failure = sentenceOf(error);
    else if (failure === undefined) print('\nending …');
  }
  await stack.stop();
  return failure;
}

function sentenceOf(error: unknown): string {
  if (error instanceof BrokenPromise) return `not as promised: ${error.message}`;
  return error instanceof OperatorError ? error.message : String(error);
}

async function run(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    print(help);
    return 0;
  }
  const failure = await show(options);
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
