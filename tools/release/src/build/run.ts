import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OperatorError } from '@engawa/errors';

const execute = promisify(execFile);

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Milliseconds after which the command is ended; never when absent. */
  timeoutMs?: number;
}

/**
 * Runs a command.
 * @returns its standard output
 * @throws OperatorError with the last lines of its standard error
 */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = {}, timeoutMs = 0 }: RunOptions = {},
): Promise<string> {
  try {
    const { stdout } = await execute(command, args, {
      cwd,
      env: { ...process.env, ...env },
      timeout: timeoutMs,
      maxBuffer: 256 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    const reason = (stderr.trim() || message).split('\n').slice(-5).join('\n');
    throw new OperatorError(`${command} ${args[0] ?? ''} did not work: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * Like `run`, for a command whose failure is an answer.
 * @returns `undefined` on failure
 */
export async function tryRun(
  command: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string | undefined> {
  return run(command, args, options).catch(() => undefined);
}
