import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './load.ts';

export interface ReadingCounts {
  acknowledged: number;
  lost: number;
  doubled: number;
}

/** Missing readings count as lost if no other reading arrives in this time. */
const stallTimeoutMs = 120_000;
const intervalMs = 2000;

/** Reads all readings from the query API until none is missing, or no more arrive. */
export async function verify(
  load: Load,
  queryUrl: string,
  print: (line: string) => void,
): Promise<ReadingCounts> {
  let missing = Infinity;
  let progressAt = performance.now();
  for (;;) {
    const readingCounts = await countReadings(load, queryUrl);
    if (readingCounts.lost < missing) progressAt = performance.now();
    missing = readingCounts.lost;
    if (missing === 0 || performance.now() - progressAt > stallTimeoutMs) return readingCounts;
    print(`${missing} readings are not stored yet`);
    await sleep(intervalMs);
  }
}

async function countReadings(load: Load, queryUrl: string): Promise<ReadingCounts> {
  const readingCounts = { acknowledged: 0, lost: 0, doubled: 0 };
  for (const [device, numbers] of load.taken) {
    const counts = await countStored(`${queryUrl}/v1/devices/${device}/readings`, load.startedAt);
    readingCounts.acknowledged += numbers.length;
    readingCounts.lost += numbers.filter((number) => !counts.has(number)).length;
    for (const count of counts.values()) if (count > 1) readingCounts.doubled += 1;
  }
  return readingCounts;
}

interface Page {
  items: { fields: { number: number } }[];
  cursor?: string;
}

/** Number of stored readings by reading number. */
async function countStored(url: string, startedAt: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const range = {
    from: new Date(startedAt).toISOString(),
    to: new Date(startedAt + 86_400_000).toISOString(),
  };
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ ...range, limit: '1000', ...(cursor && { cursor }) });
    const answer = await fetch(`${url}?${query.toString()}`);
    if (answer.status === 404) return counts;
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const page = (await answer.json()) as Page;
    for (const { fields } of page.items) {
      counts.set(fields.number, (counts.get(fields.number) ?? 0) + 1);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return counts;
}
