import { compareBytes } from '@engawa/keys';
import { maxFacetValues } from '../text-index.ts';
import type { Facet } from '../text-index.ts';

/** Distinct values of one search, and their UTF-16 units: the thread has 64 MB. */
const maxValues = 50_000;
const maxUnits = 4_000_000;

/** A filter has more distinct values than can be counted; the message is its name. */
export class TooManyValues extends Error {
  override readonly name = 'TooManyValues';
}

/** Counts the values of each name; a row has the values of one hit. @throws TooManyValues */
export function countHits(
  names: readonly string[],
  rows: Iterable<readonly unknown[]>,
): { total: number; facets: Facet[] } {
  const counts = names.map(() => new Map<string, number>());
  let total = 0;
  let values = 0;
  let units = 0;
  for (const row of rows) {
    total++;
    for (const [index, counted] of counts.entries()) {
      const value = row[index];
      if (typeof value !== 'string') continue;
      const count = counted.get(value);
      counted.set(value, (count ?? 0) + 1);
      if (count !== undefined) continue;
      values++;
      units += value.length;
      if (values > maxValues || units > maxUnits) throw new TooManyValues(names[index]);
    }
  }
  return { total, facets: counts.map((counted, index) => facetOf(names[index] ?? '', counted)) };
}

function facetOf(name: string, counted: ReadonlyMap<string, number>): Facet {
  const all = [...counted].map(([value, count]) => ({ value, count }));
  all.sort((left, right) => right.count - left.count || compareBytes(left.value, right.value));
  const others = all.slice(maxFacetValues).reduce((sum, { count }) => sum + count, 0);
  return { name, values: all.slice(0, maxFacetValues), others };
}
