import { OperatorError } from '@engawa/errors';
import { help, parseModelOptions } from './model-options.ts';
import { runModelCommand } from './run-model-command.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

try {
  const options = parseModelOptions(process.argv.slice(2), process.env);
  if (options === 'help') print(help);
  else await runModelCommand({ options, signal: stop.signal, print });
} catch (error) {
  if (!stop.signal.aborted) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`catalog:model: ${error.message}\n`);
  }
  process.exitCode = 1;
}
