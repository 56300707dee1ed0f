import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export interface TestOptions {
  /** Checks, and the tests that take seconds. */
  isShort: boolean;
  /** The tests that take minutes by nature. */
  isLong: boolean;
  /** Only what the changes since origin/main can affect. */
  changed: boolean;
  /** Nothing is left out because it is unchanged. */
  everything: boolean;
  /** Processes of the tests are paused at random meanwhile. */
  pauses: boolean;
  /** Names of projects; all if empty. */
  projects: string[];
}

/**
 * `npm test`: format and lint of changed files, types, and the tests of the product; with `CI` set, of everything.
 * `--long` (`npm run test:long`): only the tests that take minutes. `--all` (`npm run test:all`): both, and everything.
 * `--changed`: only the tests that import a changed file. `--pauses`: see pause-processes.ts. Names of projects: only
 * their tests.
 * @param env `CI` as continuous integration sets it
 * @throws OperatorError for an option that is unknown, or impossible here
 */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): TestOptions {
  const { values, positionals } = parse(args);
  const { long = false, all = false, changed = false, pauses = false } = values;
  if (changed && (all || positionals.length > 0))
    throw new OperatorError('--changed selects the tests itself: give no project, and not --all');
  if (pauses && process.platform !== 'linux')
    throw new OperatorError('--pauses needs Linux: it finds the processes of the tests in /proc');
  const isCi = !['', '0', 'false'].includes(env['CI'] ?? '');
  return {
    isShort: !long,
    isLong: long || all,
    changed,
    pauses,
    everything: all || (isCi && !changed),
    projects: positionals,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        long: { type: 'boolean' },
        all: { type: 'boolean' },
        changed: { type: 'boolean' },
        pauses: { type: 'boolean' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new OperatorError((error as Error).message, { cause: error });
  }
}
