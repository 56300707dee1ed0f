import { setTimeout as sleep } from 'node:timers/promises';

/** A reading as published and as returned. */
export interface Reading {
  time: string;
  value: number;
}

export const device = 'cluster-test';
export const topic = `engawa/${device}/readings`;

/** Readings one second apart, with unique values. */
export function makeReadings(first: number, count: number, start: Date): Reading[] {
  return Array.from({ length: count }, (_, index) => ({
    time: new Date(start.getTime() + (first + index) * 1000).toISOString(),
    value: first + index,
  }));
}

/** The payloads, one per line. */
export function linesOf(readings: readonly Reading[]): string {
  return readings.map(({ time, value }) => `${JSON.stringify({ ts: time, value })}\n`).join('');
}

/**
 * Polls until query returns exactly these readings.
 * @throws Error that names missing and superfluous readings
 */
export async function untilExactly(
  url: string,
  wanted: readonly Reading[],
  timeoutMs = 120_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const difference = await differenceOf(url, wanted);
    if (difference === undefined) return;
    if (Date.now() > deadline) throw new Error(difference);
    await sleep(1000);
  }
}

async function differenceOf(url: string, wanted: readonly Reading[]): Promise<string | undefined> {
  try {
    const found = (await readAll(url, wanted)).map(keyOf);
    const keys = wanted.map(keyOf);
    const lacking = keys.filter((key) => !found.includes(key));
    const others = found.filter(
      (key, index) => !keys.includes(key) || found.indexOf(key) !== index,
    );
    if (lacking.length === 0 && others.length === 0) return undefined;
    return `of ${wanted.length} readings ${lacking.length} are lacking (${lacking.slice(0, 3).join(', ')}), ${others.length} are too many (${others.slice(0, 3).join(', ')})`;
  } catch (error) {
    return error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error);
  }
}

/** All readings of the device, from one minute before the first expected one to one minute after the last. */
async function readAll(url: string, wanted: readonly Reading[]): Promise<Reading[]> {
  const times = wanted.map(({ time }) => Date.parse(time));
  const from = new Date(Math.min(...times) - 60_000).toISOString();
  const to = new Date(Math.max(...times) + 60_000).toISOString();
  const readings: Reading[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ from, to, limit: '1000', ...(cursor && { cursor }) });
    const answer = await fetch(`${url}/v1/devices/${device}/readings?${query.toString()}`, {
      signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok) throw new Error(`query answered ${answer.status}`);
    const page = (await answer.json()) as {
      items: { time: string; fields: { value: number } }[];
      cursor?: string;
    };
    readings.push(...page.items.map(({ time, fields }) => ({ time, value: fields.value })));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return readings;
}

const keyOf = ({ time, value }: Reading): string => `${value} of ${new Date(time).toISOString()}`;
