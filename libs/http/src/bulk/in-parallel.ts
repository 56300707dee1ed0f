/**
 * Calls `work` for each item, with at most `concurrency` calls at a time; the next item is read
 * only when one may start. Rejects with the first failure, after all running calls have ended
 * (unlike p-map: docs/adr/0075).
 */
export async function inParallel<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    for await (const item of items) {
      const call = work(item)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(call));
      running.add(call);
      if (running.size === concurrency) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
}
