import { compareBytes } from '@engawa/keys';
import { maxFacetValues } from '../text-index.ts';
import type { Facet, FilterName } from '../text-index.ts';

/** Distinct values of one search, and their UTF-16 units: the thread has 64 MB. */
const maxValues = 50_000;
const maxUnits = 4_000_000;

/** A filter has more distinct values than can be counted; the message is its name. */
export class TooManyValues extends Error {
  override readonly name = 'TooManyValues';
}

/** Counts the values of each facet; a row of `valuesSql` has those of one hit. @throws TooManyValues */
export function countHits(
  facets: readonly FilterName[],
  rows: Iterable<readonly unknown[]>,
): { total: number; facets: Facet[] } {
  const counts = facets.map((facet) => ({ facet, values: new Map<string, number>() }));
  const limits = { values: 0, units: 0 };
  let total = 0;
  for (const row of rows) {
    const failed = facets.filter((_, index) => row[facets.length + index] === 0);
    if (failed.length === 0) total++;
    for (const [index, { facet, values }] of counts.entries()) {
      const cell = row[index];
      if (typeof cell !== 'string' || failed.some(({ name }) => name !== facet.name)) continue;
      const found = facet.isSet ? (JSON.parse(cell) as string[]) : [cell];
      for (const value of found) countValue(facet, { values, value, limits });
    }
  }
  return { total, facets: counts.map(({ facet, values }) => facetOf(facet.name, values)) };
}

function countValue(
  { name }: FilterName,
  {
    values,
    value,
    limits,
  }: {
    values: Map<string, number>;
    value: string;
    limits: { values: number; units: number };
  },
): void {
  const count = values.get(value);
  values.set(value, (count ?? 0) + 1);
  if (count !== undefined) return;
  limits.values++;
  limits.units += value.length;
  if (limits.values > maxValues || limits.units > maxUnits) throw new TooManyValues(name);
}

function facetOf(name: string, counted: ReadonlyMap<string, number>): Facet {
  const all = [...counted].map(([value, count]) => ({ value, count }));
  all.sort((left, right) => right.count - left.count || compareBytes(left.value, right.value));
  const others = all.slice(maxFacetValues).reduce((sum, { count }) => sum + count, 0);
  return { name, values: all.slice(0, maxFacetValues), others };
}
