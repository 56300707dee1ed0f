import { OperatorError } from '@engawa/errors';
import { help, parseOptions } from './options.ts';
import { run } from './run.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options === 'help') console.log(help);
  else await run(options, { signal: stop.signal, print: (line) => console.log(line) });
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`simulator: ${error.message}`);
  process.exitCode = 1;
}
