import { setTimeout as sleep } from 'node:timers/promises';
import { button } from './load.ts';
import type { Load } from './load.ts';

export interface ReadingCounts {
  acknowledged: number;
  lost: number;
  doubled: number;
  /** Stored presses beyond the acknowledged ones: no process can know a press that another one received before. */
  pressedAgain: number;
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
  const readingCounts = { acknowledged: 0, lost: 0, doubled: 0, pressedAgain: 0 };
  for (const [device, numbers] of load.taken) {
    const counts = await countStored(`${queryUrl}/v1/devices/${device}/readings`, load.startedAt);
    readingCounts.acknowledged += numbers.length;
    readingCounts.lost += numbers.filter((number) => !counts.has(number)).length;
    for (const count of counts.values()) if (count > 1) readingCounts.doubled += 1;
  }
  await countPresses(load, queryUrl, readingCounts);
  return readingCounts;
}

async function countPresses(
  load: Load,
  queryUrl: string,
  readingCounts: ReadingCounts,
): Promise<void> {
  const url = `${queryUrl}/v1/devices/${button}/readings`;
  let stored = 0;
  for await (const { items } of pages(url, load.startedAt)) stored += items.length;
  readingCounts.acknowledged += load.pressed;
  readingCounts.lost += Math.max(0, load.pressed - stored);
  readingCounts.pressedAgain = Math.max(0, stored - load.pressed);
}

interface Page {
  items: { fields: { number: number } }[];
  cursor?: string;
}

/** Number of stored readings by reading number. */
async function countStored(url: string, startedAt: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for await (const { items } of pages(url, startedAt)) {
    for (const { fields } of items) counts.set(fields.number, (counts.get(fields.number) ?? 0) + 1);
  }
  return counts;
}

/** The readings of a device; none where it is unknown. */
async function* pages(url: string, startedAt: number): AsyncGenerator<Page> {
  const range = {
    from: new Date(startedAt).toISOString(),
    to: new Date(startedAt + 86_400_000).toISOString(),
  };
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ ...range, limit: '1000', ...(cursor && { cursor }) });
    const answer = await fetch(`${url}?${query.toString()}`);
    if (answer.status === 404) return;
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const page = (await answer.json()) as Page;
    yield page;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
