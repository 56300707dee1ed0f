import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ChildProcess, StdioOptions } from 'node:child_process';

export const workspace = resolve(import.meta.dirname, '../../..');

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Command {
  /** Printed before its output. */
  title: string;
  command: string;
  args: readonly string[];
  /** Variables in addition to those of this process. */
  environment?: Readonly<Record<string, string>>;
}

/**
 * Runs a command in the workspace, its output visible.
 * @returns whether it exited with 0
 * @throws Error if the command cannot be started
 */
export async function run(command: Command): Promise<boolean> {
  console.log(`\n── ${command.title}`);
  return (await exitCodeOf(start(command, 'inherit'))) === 0;
}

/** Like `run`, but concurrently with other commands: its output is printed when it ends. */
export async function runConcurrently(command: Command): Promise<boolean> {
  console.log(`\n── ${command.title} …`);
  const child = start(command, ['ignore', 'pipe', 'pipe']);
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const outputs = Promise.all(streams.map((stream) => text(stream)));
  const code = await exitCodeOf(child);
  const output = (await outputs).join('');
  console.log(`\n── ${command.title}: ${code === 0 ? 'passed' : 'failed'}\n${output}`.trimEnd());
  return code === 0;
}

/** In a process group of its own, so that a signal reaches its child processes: Jest does not end its workers. */
function start({ command, args, environment }: Command, stdio: StdioOptions): ChildProcess {
  const env = { ...process.env, ...environment };
  return spawn(command, args, { cwd: workspace, stdio, env, detached: true });
}

/** Passes signals on that end this process, then ends it: neither `kill` nor a terminal sends them to the command. */
async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  const end = (signal: NodeJS.Signals): void => {
    child.once('exit', () => process.exit(130));
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  };
  for (const signal of endingSignals) process.on(signal, end);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of endingSignals) process.removeListener(signal, end);
  return code;
}
