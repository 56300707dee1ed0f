import { Problem } from '@engawa/errors';
import { setTimeout as delay } from 'node:timers/promises';
import { backoff } from './backoff.ts';
import { errorKindOf, isRejectedKey } from '../errors/dynamo-error.ts';
import { translate } from './translate-error.ts';

/**
 * Attempts of a write that conflicts with a transaction on the same item: about 7 s in total. A transaction takes some
 * 10 ms, so many early retries are better than a few late ones.
 */
const maxConflicts = 40;
const maxConflictDelayMs = 400;

/**
 * The output of a read.
 * @throws Problem, or the signal's reason
 */
export async function reading<Output>(
  output: Promise<Output>,
  signal?: AbortSignal,
): Promise<Output> {
  try {
    return await output;
  } catch (error) {
    signal?.throwIfAborted();
    if (isInvalidStartKey(error)) {
      throw new Problem('invalid-cursor', 'The cursor does not fit the request.');
    }
    throw translate(error, false);
  }
}

/**
 * The output of a write, which is sent again while it conflicts with a transaction, and once with renewed credentials.
 * @throws Problem, ConditionFailed, ItemRejected
 */
export async function writing<Output>(send: () => Promise<Output>): Promise<Output> {
  let isRenewed = false;
  for (let conflicts = 1; ;) {
    try {
      return await send();
    } catch (error) {
      if (isRejectedKey(error) && !isRenewed) {
        // The SDK signs all attempts of a request with the same credentials.
        isRenewed = true;
        continue;
      }
      if (errorKindOf(error) !== 'conflict' || conflicts === maxConflicts)
        throw translate(error, true);
      await delay(Math.min(backoff(conflicts), Math.random() * maxConflictDelayMs));
      conflicts += 1;
    }
  }
}

/**
 * Whether DynamoDB rejects ExclusiveStartKey because the Query has no such key. Cursors are signed, so a release with
 * other keys made this cursor. (AWS documents only the error's name; the texts are from DynamoDB and DynamoDB Local.)
 */
function isInvalidStartKey(error: unknown): boolean {
  const { name, message } = error as Error;
  return name === 'ValidationException' && /start(ing)? ?key/i.test(message);
}
