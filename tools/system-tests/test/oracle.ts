import type { SentReading } from './publisher.ts';

/** The outcome of acknowledged readings. */
export interface ReadingCounts {
  taken: number;
  stored: number;
  deadLettered: number;
  lost: number;
  duplicated: number;
}

/** All counts, and the readings that are neither stored nor a dead letter. */
export interface AccountedReadings extends ReadingCounts {
  missing: SentReading[];
}

interface Page {
  items: { time: string; fields: Record<string, number> }[];
  cursor?: string;
}

/**
 * Reads all readings from the query API, and counts each acknowledged one.
 * @param deadLetters the stored dead letters, as `topic payload`
 */
export async function countReadings(
  queryUrl: string,
  taken: readonly SentReading[],
  deadLetters: readonly string[] = [],
): Promise<AccountedReadings> {
  const missing: SentReading[] = [];
  const none = { taken: 0, stored: 0, deadLettered: 0, lost: 0, duplicated: 0, missing };
  if (taken.length === 0) return none;
  const devices = new Set(taken.map(({ device }) => device));
  const times = taken.map(({ time }) => Date.parse(time));
  const from = new Date(Math.min(...times)).toISOString();
  const to = new Date(Math.max(...times) + 1).toISOString();
  const found = new Map<string, number>();
  for (const device of devices) {
    for (const reading of await readAll(queryUrl, device, from, to)) {
      const key = keyOf({ device, ...reading });
      found.set(key, (found.get(key) ?? 0) + 1);
    }
  }
  const kept = new Set(deadLetters);
  const counts = taken.map((sent) => found.get(keyOf(sent)) ?? 0);
  const isKept = taken.map(({ topic, payload }) => kept.has(`${topic} ${payload}`));
  missing.push(...taken.filter((_, index) => counts[index] === 0 && isKept[index] !== true));
  return {
    taken: taken.length,
    stored: counts.filter((count) => count > 0).length,
    deadLettered: isKept.filter(Boolean).length,
    lost: missing.length,
    duplicated: counts.filter((count) => count > 1).length,
    missing,
  };
}

/** All readings of a device in a time range; empty for an unknown device. */
export async function readAll(url: string, device: string, from: string, to: string) {
  const readings: Page['items'] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ from, to, limit: '1000', ...(cursor && { cursor }) });
    const response = await fetch(`${url}/v1/devices/${device}/readings?${query.toString()}`);
    if (response.status === 404) return [];
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const page = (await response.json()) as Page;
    readings.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return readings;
}

function keyOf({ device, time, fields }: Pick<SentReading, 'device' | 'time' | 'fields'>): string {
  return JSON.stringify([device, time, fields['index'], fields['value']]);
}
