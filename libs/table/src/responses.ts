import { Problem } from '@engawa/errors';
import { setTimeout as delay } from 'node:timers/promises';
import { backoff } from './backoff.ts';
import { errorKindOf, translate } from './dynamo-error.ts';

/** Times that a write is sent while others are under way to the same item: for about 6 s at the longest. */
const mostConflicts = 8;

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

/** The response to a write, sent again while it conflicts with a transaction. @throws Problem, ConditionFailed, ItemRefused */
export async function writing<Output>(send: () => Promise<Output>): Promise<Output> {
  for (let conflicts = 1; ; conflicts++) {
    try {
      return await send();
    } catch (error) {
      if (errorKindOf(error) !== 'conflict' || conflicts === mostConflicts)
        throw translate(error, true);
      await delay(backoff(conflicts));
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
