import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { OperatorError } from '@engawa/errors';
import { checkRestart } from './check-restart.ts';
import { help, parseOptions } from './options.ts';
import { describeFinding } from './describe-finding.ts';
import type { Options } from './options.ts';

try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options === 'help') console.log(help);
  else await check(options);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(`broker check: ${error.message}`);
  process.exitCode = 1;
}

async function check(options: Options): Promise<void> {
  console.log(`subscribing at ${options.url} …`);
  const { restart } = options;
  const finding = await checkRestart(options, () =>
    restart === undefined ? askForRestart() : run(restart),
  );
  console.log(describeFinding(finding));
}

async function askForRestart(): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  await terminal.question('Restart the broker now, and press Enter when it is running: ');
  terminal.close();
}

async function run(command: string): Promise<void> {
  console.log(`restarting the broker: ${command}`);
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new OperatorError(`'${command}' ended with ${String(code)}`);
}
