import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

/** Few enough to be worked out without keeping other requests waiting. */
const maxBatchRows = 64;

/**
 * Rows as they come, in groups: those that are there at once go together, for a packet each would cost more than the row;
 * none waits for rows that still have to be fetched.
 */
export async function* batches<Row>(
  first: IteratorResult<Row>,
  rows: AsyncIterator<Row>,
): AsyncGenerator<Row[], void> {
  let result = first;
  let batch: Row[] = [];
  let turn = turnOfTheLoop();
  while (result.done !== true) {
    if (batch.push(result.value) === maxBatchRows) {
      yield batch;
      batch = [];
      turn = turnOfTheLoop();
    }
    const next = rows.next();
    if (batch.length > 0 && (await Promise.race([next, turn])) === undefined) {
      next.catch(() => undefined); // heard below, unless the reader leaves here
      yield batch;
      batch = [];
      turn = turnOfTheLoop();
    }
    result = await next;
  }
  if (batch.length > 0) yield batch;
}
