import { OperatorError } from '@engawa/errors';
import { findKnownDefects } from './command/find-known-defects.ts';
import { help, parseOptions } from './command/options.ts';
import { simulate } from './command/simulate.ts';

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(help);
  } else {
    const work = options.known ? findKnownDefects : simulate;
    const wrong = await work(options, (line) => console.log(line));
    process.exitCode = wrong === 0 ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`simulate: ${error.message}`);
  process.exitCode = 1;
}
