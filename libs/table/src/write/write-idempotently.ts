import { randomBytes } from 'node:crypto';
import { ConditionFailed } from '../errors/write-errors.ts';
import type { Document } from '@engawa/model';

/** What an item carries of the last write that was sent with `idempotent`. */
export interface WriteMark {
  writeId: string;
}

/**
 * Sends a conditional write so that it is recognised when its response is lost. The SDK then sends it again, and its condition
 * fails, because the write itself has taken place: the item carries its id.
 * @param own what the write resolves with in that case, from the item as it is
 * @throws ConditionFailed for the write of another client
 */
export async function writeIdempotently<Result>(
  send: (mark: WriteMark) => Promise<Result>,
  own: (item: Document) => Result,
): Promise<Result> {
  // 72 random bits: two writes to one item within the seconds of a retry never share them.
  const writeId = randomBytes(9).toString('base64url');
  try {
    return await send({ writeId });
  } catch (error) {
    if (error instanceof ConditionFailed && error.item?.['writeId'] === writeId)
      return own(error.item);
    throw error;
  }
}
