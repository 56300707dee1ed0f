import { readFileSync } from 'node:fs';
import { OperatorError } from '@engawa/errors';
import { parseCommand } from './options.ts';
import { runMappingCommand } from './run-command.ts';

try {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const terminal = { print, input: () => readFileSync(0) };
  await runMappingCommand(parseCommand(process.argv.slice(2)), terminal);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`mapping: ${error.message}\n`);
  process.exitCode = 1;
}
