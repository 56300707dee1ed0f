import { RunningProcess, workspace } from '@engawa/embedded';
import { OperatorError } from '@engawa/errors';

/** A build that takes longer is reported. In milliseconds. */
const reportAfterMs = 2000;

interface BuildConsoleOptions {
  print: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Builds the web app of the console where its sources have changed, in a process of its own: the bundler's memory is
 * released when it ends.
 * @throws OperatorError with the output of a failed build
 */
export async function buildConsole({ print, signal }: BuildConsoleOptions): Promise<void> {
  const build = new RunningProcess({
    name: 'console build',
    command: [process.execPath, 'apps/console/build/main.ts'],
    cwd: workspace,
    parentDeathSignal: 'TERM',
  });
  const report = setTimeout(() => print('building the console …'), reportAfterMs);
  const stop = (): void => build.signal('SIGTERM');
  signal.addEventListener('abort', stop);
  const code = await build.exited.finally(() => {
    clearTimeout(report);
    signal.removeEventListener('abort', stop);
  });
  signal.throwIfAborted();
  if (code !== 0) throw new OperatorError(`the console cannot be built: ${build.output.trim()}`);
}
