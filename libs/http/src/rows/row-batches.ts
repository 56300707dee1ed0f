import { setImmediate as nextTurn } from 'node:timers/promises';

/** Small enough to format a batch without delaying other requests. */
const maxBatchRows = 64;
const maxBatchCharacters = 64 * 1024;

/** The rows of a batch of rows of this length: rows of a thousand columns come in small batches. */
export function rowsOfBatch(charactersPerRow: number): number {
  return Math.max(1, Math.min(maxBatchRows, Math.floor(maxBatchCharacters / charactersPerRow)));
}

/**
 * Groups rows into batches: rows that are available immediately share a batch, since a packet for
 * each would cost more than the row. A batch never waits for rows that still have to be fetched.
 * `size` may change from batch to batch.
 */
export async function* rowBatches<Row>(
  first: IteratorResult<Row>,
  rows: AsyncIterator<Row>,
  size: { readonly maxRows: number },
): AsyncGenerator<Row[], void> {
  let result = first;
  let batch: Row[] = [];
  let turn = nextTurn();
  while (result.done !== true) {
    if (batch.push(result.value) >= size.maxRows) {
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
