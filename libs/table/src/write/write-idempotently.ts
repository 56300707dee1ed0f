import { randomBytes } from 'node:crypto';
import { ConditionFailed } from '../errors/write-errors.ts';
import type { Document } from '@engawa/model';

/** The id of the last idempotent write, stored in the item. */
export interface WriteMark {
  writeId: string;
}

/**
 * Makes a conditional write idempotent. When its response is lost, the SDK sends the write again, and its condition
 * fails because the first attempt has taken place; the id in the item proves that.
 * @param own the result in that case, from the existing item
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
