import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

export const workspace = resolve(import.meta.dirname, '../../..');

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command in the workspace, its output visible. It gets the signals that end this process, which `kill` sends to
 * this process only.
 * @returns whether it exited with 0
 */
export async function run(
  title: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  console.log(`\n── ${title}`);
  const child = spawn(command, args, {
    cwd: workspace,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  let isEnding = false;
  const end = (signal: NodeJS.Signals): void => {
    isEnding = true;
    child.kill(signal);
  };
  for (const signal of endingSignals) process.on(signal, end);
  const [status] = (await once(child, 'exit')) as [number | null];
  for (const signal of endingSignals) process.removeListener(signal, end);
  if (isEnding) process.exit(130);
  return status === 0;
}

/**
 * Like `run`, but concurrently with other commands: its output is printed when it ends.
 * @throws Error if the command cannot be started
 */
export async function runConcurrently(
  title: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const options = {
    cwd: workspace,
    env: { ...process.env, ...environment },
    maxBuffer: Number.POSITIVE_INFINITY,
  };
  console.log(`\n── ${title} …`);
  const { code, stdout, stderr } = await promisify(execFile)(command, args, options).then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => {
      const ended = error as { code: unknown; stdout: string; stderr: string };
      if (typeof ended.code !== 'number') throw error;
      return ended;
    },
  );
  console.log(`\n── ${title}: ${code === 0 ? 'passed' : 'failed'}\n${stdout}${stderr}`.trimEnd());
  return code === 0;
}
