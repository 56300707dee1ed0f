import { SerialClient } from '../query/serial-client.ts';
import type { SentTimes } from '../children/streams.ts';

/** The comparison of published and found readings. */
export interface ReadingCounts {
  sent: number;
  /** Published and not found. */
  missing: number;
  /** Found more than once, or never published. */
  surplus: number;
}

interface Page {
  items: { time: string }[];
  cursor?: string | null;
}

/** Reads all readings of these devices from the query service, and compares them with the published ones. */
export async function countReadings(queryUrl: string, sent: SentTimes): Promise<ReadingCounts> {
  const client = new SerialClient(queryUrl);
  try {
    const readingCounts = { sent: 0, missing: 0, surplus: 0 };
    for (const [device, times] of Object.entries(sent)) {
      const found = times.length === 0 ? [] : await readTimes(client, device, times);
      const one = compare(times, found);
      readingCounts.sent += one.sent;
      readingCounts.missing += one.missing;
      readingCounts.surplus += one.surplus;
    }
    return readingCounts;
  } finally {
    await client.close();
  }
}

/** @param published each time once */
export function compare(published: readonly number[], found: readonly number[]): ReadingCounts {
  const stored = new Set(found);
  const missing = published.filter((time) => !stored.has(time)).length;
  const sent = published.length;
  return { sent, missing, surplus: found.length - (sent - missing) };
}

async function readTimes(
  client: SerialClient,
  device: string,
  times: readonly number[],
): Promise<number[]> {
  const range = new URLSearchParams({
    from: new Date((times[0] ?? 0) - 1000).toISOString(),
    to: new Date((times.at(-1) ?? 0) + 1000).toISOString(),
    fields: 'number',
    limit: '1000',
  });
  const found: number[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await client.ask(`/v1/devices/${device}/readings?${String(range)}${next}`);
    const page = JSON.parse(body) as Page;
    for (const { time } of page.items) found.push(Date.parse(time));
    cursor = page.cursor ?? undefined;
  }
  return found;
}
