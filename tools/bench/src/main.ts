import { OperatorError } from '@engawa/errors';
import { help, parseOptions } from './options.ts';
import { run } from './run.ts';

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') console.log(help);
  else await run(options, (line) => console.log(line));
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
