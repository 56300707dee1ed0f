import { idSchema } from '@engawa/model';
import { z } from 'zod';
import type { Counted } from '../queries/count-rows.ts';

/** The name of a search or ranking in a path. */
export function searchName(kind: 'search' | 'ranking') {
  return idSchema('name').describe(`The name of the ${kind}, percent-encoded.`);
}

/** `true` or `false`, by default `false`. */
export function wholeParameter(purpose: string) {
  return z
    .enum(['true', 'false'])
    .prefault('false')
    .transform((given) => given === 'true')
    .describe(purpose);
}

/** To be spread into the query of a list whose items can be counted. */
export const totalQuery = {
  total: z
    .enum(['true', 'false'])
    .prefault('false')
    .transform((given) => given === 'true')
    .describe(
      'Whether to say also how many there are in all, whatever the page: they are counted, for a read unit each 8 KB of them. Not row by row.',
    ),
};

/** To be spread into the answer of such a list. */
export const shownTotal = {
  total: z.int().optional().describe('With `total=true`: how many there are in all.'),
  totalIsExact: z
    .boolean()
    .optional()
    .describe(
      'Beside `total`; where it is false, there are more: counting them all takes more than a page may cost.',
    ),
};

/** Counts them where that is asked for; behind the page, with what that has left. */
export async function totalFor(
  { query }: { query: { total: boolean } },
  count: () => Promise<Counted>,
): Promise<{ total?: number; totalIsExact?: boolean }> {
  if (!query.total) return {};
  const { count: total, isExact } = await count();
  return { total, totalIsExact: isExact };
}
