/**
 * Does the same with each, so many at a time, and gives what came of them in their order. After a failure none is begun any
 * more.
 */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  let failed = false;
  const worker = async () => {
    // One iterator for all: whoever is done takes the next.
    for (const [index, item] of queue) {
      if (failed) return;
      results[index] = await work(item).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
