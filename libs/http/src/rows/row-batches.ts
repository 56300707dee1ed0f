import { setImmediate as nextTurn } from 'node:timers/promises';

/** Small enough to format a batch without delaying other requests. */
const maxBatchRows = 64;

/**
 * Groups rows into batches: rows that are available immediately share a batch, since a packet for
 * each would cost more than the row. A batch never waits for rows that still have to be fetched.
 */
export async function* rowBatches<Row>(
  first: IteratorResult<Row>,
  rows: AsyncIterator<Row>,
): AsyncGenerator<Row[], void> {
  let result = first;
  let batch: Row[] = [];
  let turn = nextTurn();
  while (result.done !== true) {
    if (batch.push(result.value) === maxBatchRows) {
      yield batch;
      batch = [];
      turn = nextTurn();
    }
    const next = rows.next();
    if (batch.length > 0 && (await Promise.race([next, turn])) === undefined) {
      next.catch(() => undefined); // awaited below, unless the reader stops here
      yield batch;
      batch = [];
      turn = nextTurn();
    }
    result = await next;
  }
  if (batch.length > 0) yield batch;
}
