import { readFileSync } from 'node:fs';
import { OperatorError } from '@engawa/errors';
import { parseCommand } from './options.ts';
import { runMappingCommand } from './run-command.ts';

try {
  const terminal = { print: (line: string) => console.log(line), input: () => readFileSync(0) };
  await runMappingCommand(parseCommand(process.argv.slice(2)), terminal);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`mapping: ${error.message}`);
  process.exitCode = 1;
}
