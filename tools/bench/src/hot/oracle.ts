import { Asker } from '../query/asker.ts';
import type { Sent } from '../children/streams.ts';

/** The comparison of published and found readings. */
export interface Verdict {
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
export async function judge(queryUrl: string, sent: Sent): Promise<Verdict> {
  const asker = new Asker(queryUrl);
  try {
    const verdict = { sent: 0, missing: 0, surplus: 0 };
    for (const [device, times] of Object.entries(sent)) {
      const found = times.length === 0 ? [] : await readTimes(asker, device, times);
      const one = compare(times, found);
      verdict.sent += one.sent;
      verdict.missing += one.missing;
      verdict.surplus += one.surplus;
    }
    return verdict;
  } finally {
    await asker.close();
  }
}

/** @param published each time once */
export function compare(published: readonly number[], found: readonly number[]): Verdict {
  const stored = new Set(found);
  const missing = published.filter((time) => !stored.has(time)).length;
  const sent = published.length;
  return { sent, missing, surplus: found.length - (sent - missing) };
}

async function readTimes(
  asker: Asker,
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
    const { body } = await asker.ask(`/v1/devices/${device}/readings?${String(range)}${next}`);
    const page = JSON.parse(body) as Page;
    for (const { time } of page.items) found.push(Date.parse(time));
    cursor = page.cursor ?? undefined;
  }
  return found;
}
