import { OperatorError } from '@engawa/errors';
import { run, tryRun } from './run.ts';

export interface Commit {
  /** Its hash; `undefined` of sources outside of a checkout. */
  hash: string | undefined;
  /** When it was made, in seconds since 1970: the time of everything that is made of it. */
  time: number;
  /** Whether the files are those of the commit. */
  isClean: boolean;
}

/**
 * The commit that is checked out. Where the sources are no checkout, `SOURCE_DATE_EPOCH` is their time
 * (https://reproducible-builds.org/specs/source-date-epoch/).
 * @throws OperatorError where neither tells a time
 */
export async function readCommit(folder: string): Promise<Commit> {
  const given = process.env['SOURCE_DATE_EPOCH'];
  const line = await tryRun('git', ['log', '-1', '--format=%H %ct'], { cwd: folder });
  const [hash, made] = line?.trim().split(' ') ?? [];
  const time = Number(given ?? made);
  if (!Number.isSafeInteger(time)) {
    throw new OperatorError(
      'the sources are no Git checkout; set SOURCE_DATE_EPOCH to their time, in seconds since 1970',
    );
  }
  if (hash === undefined) return { hash, time, isClean: false };
  const changes = await run('git', ['status', '--porcelain'], { cwd: folder });
  return { hash, time, isClean: changes.trim() === '' };
}
