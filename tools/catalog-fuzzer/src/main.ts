import { OperatorError } from '@engawa/errors';
import { fuzz } from './fuzz.ts';
import { help, parseOptions } from './options.ts';

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(help);
  } else {
    const { inconsistencies } = await fuzz(options, (line) => console.log(line));
    process.exitCode = inconsistencies === 0 ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`fuzz:catalog: ${error.message}`);
  process.exitCode = 1;
}
