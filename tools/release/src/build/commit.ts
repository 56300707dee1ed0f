import { OperatorError } from '@engawa/errors';
import { run, tryRun } from './run.ts';

export interface Commit {
  /** Its hash; `undefined` for sources outside of a checkout. */
  hash: string | undefined;
  /** Its time in seconds since 1970: the time of all artifacts. */
  time: number;
  /** Whether the files are unchanged since the commit. */
  isClean: boolean;
}

/**
 * The commit that is checked out. Outside of a checkout, `SOURCE_DATE_EPOCH` is the sources' time
 * (https://reproducible-builds.org/specs/source-date-epoch/).
 * @throws OperatorError when neither defines a time
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
