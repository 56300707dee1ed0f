import { idSchema } from '@engawa/model';
import { z } from 'zod';
import { maxReadWith } from '../queries/included/include.ts';
import type { IncludeQuery } from '../queries/included/include.ts';
import type { RowCount } from '../queries/count-rows.ts';

/** The name of a search or ranking in a path. */
export function searchName(kind: 'search' | 'ranking') {
  return idSchema('name').describe(`The name of the ${kind}, percent-encoded.`);
}

/** `true` or `false`, by default `false`. */
export const flag = z
  .enum(['true', 'false'])
  .prefault('false')
  .transform((given) => given === 'true');

export function wholeParameter(purpose: string) {
  return flag.describe(purpose);
}

/** Entities that a page reads together, which BatchGetItem reads at once: up to 16 MB. */
const maxEntitiesRead = 100;

/** The most items that a list reads together, which have the entities with `whole`. */
export function maxReadOf({
  query,
}: {
  query: { whole: boolean } & IncludeQuery;
}): number | undefined {
  return maxReadWith(query) ?? (query.whole ? maxEntitiesRead : undefined);
}

/** Spread into the query of a list whose items can be counted. */
export const totalQuery = {
  total: flag.describe(
    'Whether to return the total number of items on all pages. They are counted, for one read unit per 8 KB. Not available as CSV or NDJSON.',
  ),
};

/** Spread into the response of such a list. */
export const totalOutput = {
  total: z.int().optional().describe('With `total=true`: the number of items on all pages.'),
  totalIsExact: z
    .boolean()
    .optional()
    .describe(
      'With `total=true`; if false, there are more than `total`: counting them would exceed the cost limit of a request.',
    ),
};

/** Counts the items if requested, after the page is read, with the budget that the page has left. */
export async function totalFor(
  { query }: { query: { total: boolean } },
  count: () => Promise<RowCount>,
): Promise<{ total?: number; totalIsExact?: boolean }> {
  if (!query.total) return {};
  const { count: total, isExact } = await count();
  return { total, totalIsExact: isExact };
}
