import type { Reading } from '@engawa/model';
import type { QueryFixture } from './query-fixture.ts';

export interface Bucket {
  from: string;
  to: string;
  localFrom: string;
  fields: Record<string, Record<string, number>>;
}

export interface Buckets {
  items: Bucket[];
  cursor?: string;
}

export const minute = 60_000;
export const hour = 60 * minute;

/** From one moment to another, with thousandths that no double has exactly. */
export function everyMinutes(minutes: number, from: string, to: string): Reading[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: (end - start) / (minutes * minute) }, (_, index) => ({
    time: start + index * minutes * minute,
    fields: { power: ((index * 7919) % 100_003) / 1000, energy: (1_000_000 + index * 37) / 1000 },
  }));
}

/** By whole thousandths. */
export function plainSum(
  readings: readonly Reading[],
  field: string,
  range: { from: string; to: string },
): number {
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  const inside = readings.filter(({ time }) => time >= from && time < to);
  const thousandths = inside.map(({ fields }) => Math.round(Number(fields[field]) * 1000));
  return thousandths.reduce((sum, value) => sum + value, 0) / 1000;
}

/** Of a function whose values have three decimals, over all buckets. */
export function total(answer: Buckets, field: string, name: string): number {
  const thousandths = valuesOf(answer, field, name).map((value) => Math.round((value ?? 0) * 1000));
  return thousandths.reduce((sum, value) => sum + value, 0) / 1000;
}

export function valuesOf({ items }: Buckets, field: string, name: string) {
  return items.map(({ fields }) => fields[field]?.[name]);
}

/** Hours of each bucket. */
export function lengthsOf({ items }: Buckets): number[] {
  return items.map(({ from, to }) => (Date.parse(to) - Date.parse(from)) / hour);
}

/** One page of the aggregates of a device, or of any other address. */
export async function askAggregates(
  fixture: QueryFixture,
  of: string,
  parameters: Record<string, string>,
): Promise<Buckets> {
  const path = of.startsWith('/') ? of : `/v1/devices/${of}/aggregates`;
  const search = new URLSearchParams(parameters).toString();
  const { status, body, text } = await fixture.ask(`${path}?${search}`);
  if (status !== 200) throw new Error(text);
  return body as Buckets;
}

/** All pages from the first to the last. */
export async function allBuckets(
  fixture: QueryFixture,
  of: string,
  question: Record<string, string>,
): Promise<Bucket[]> {
  const buckets: Bucket[] = [];
  let cursor: string | undefined;
  do {
    const parameters = { ...question, ...(cursor !== undefined && { cursor }) };
    const page = await askAggregates(fixture, of, parameters);
    buckets.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return buckets;
}
