import { Problem } from '@engawa/errors';
import { setTimeout as delay } from 'node:timers/promises';
import { backoff } from './backoff.ts';
import { errorKindOf } from '../errors/dynamo-error.ts';
import { translate } from './translate-error.ts';

/**
 * Times that a write is sent while others are under way to the same item: for about 7 s at the longest. A transaction takes
 * some 10 ms, so what it refuses comes again soon, and many times, rather than ever later.
 */
const maxConflicts = 40;
/** Milliseconds of the longest wait between two of them. */
const maxConflictDelayMs = 400;

/** The response to a read. @throws Problem, or the signal's reason */
export async function reading<Output>(
  answer: Promise<Output>,
  signal?: AbortSignal,
): Promise<Output> {
  try {
    return await answer;
  } catch (error) {
    signal?.throwIfAborted();
    if (isForeignStart(error)) throw new Problem('invalid-cursor', 'The cursor leads nowhere.');
    throw translate(error, false);
  }
}

/** The response to a write, sent again while it conflicts with a transaction. @throws Problem, ConditionFailed, ItemRejected */
export async function writing<Output>(send: () => Promise<Output>): Promise<Output> {
  for (let conflicts = 1; ; conflicts++) {
    try {
      return await send();
    } catch (error) {
      if (errorKindOf(error) !== 'conflict' || conflicts === maxConflicts)
        throw translate(error, true);
      await delay(Math.min(backoff(conflicts), Math.random() * maxConflictDelayMs));
    }
  }
}

/**
 * A page that begins at a key which its question does not have. Cursors are signed, so it comes from a release that had other
 * keys. (AWS names the error alone; the texts are DynamoDB's and DynamoDB Local's.)
 */
function isForeignStart(error: unknown): boolean {
  const { name, message } = error as Error;
  return name === 'ValidationException' && /start(ing)? ?key/i.test(message);
}
