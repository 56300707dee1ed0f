import {
  integerParameter,
  nextCursor,
  pageQuery,
  repeatedParameter,
  timeZoneParameter,
} from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { attributeValue } from '../../entities/read/entity-schemas.ts';
import { maxFacetValues } from '../../full-text/text-index.ts';
import { includeQuery, refuseIncludeWithoutWhole } from '../../queries/included/include.ts';
import { listedEntity } from '../../queries/included/read-included.ts';
import { wholeParameter } from '../query-parameters.ts';

/** As many as a facet has values, and some more. */
export const maxFilters = 60;
export const maxFacets = 10;
/** Characters; a name of 128 characters has up to 1,536 when percent-encoded. */
const maxFilterLength = 4000;

export const searchTextsQuery = z
  .strictObject({
    q: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'Words to search for; punctuation alone finds nothing. Without it, all entities of `type` are listed, also those without texts.',
      ),
    type: repeatedParameter(entityTypeName, { maximum: 20 })
      .optional()
      .describe(
        'Only entities of these types; default: all types. Required with `filter`, `order` and `facet`.',
      ),
    filter: repeatedParameter(z.string().min(1).max(maxFilterLength), { maximum: maxFilters })
      .optional()
      .describe(
        `A condition on a filter of the types: \`released>=1970\`, with \`=\`, \`!=\`, \`>\`, \`>=\`, \`<\` or \`<=\`; \`released\` alone: has a value; \`!released\`: has none. Several \`=\` on one name, and \`!released\` with them, are alternatives. \`!=\` also matches entities without a value. May be repeated up to ${maxFilters} times; all other conditions must match.`,
      ),
    timeZone: timeZoneParameter.describe(
      'Time zone of an instant in `filter` that is a date, or a time without an offset. It may also be `now`, `now-15m` or `now+30d` (units s, m, h, d, w): of the first page, on all pages.',
    ),
    order: z
      .string()
      .min(1)
      .max(maxFilterLength)
      .optional()
      .describe(
        'The filter to sort by, such as `released`, or `-released` for descending order; hits without a value come last. Default: by relevance; without `q`, by type and id.',
      ),
    facet: repeatedParameter(z.string().min(1).max(maxFilterLength), { maximum: maxFacets })
      .optional()
      .describe(
        `A filter whose values are counted among all hits; returns the ${maxFacetValues} most frequent values. May be repeated up to ${maxFacets} times.`,
      ),
    multiSelect: z
      .enum(['true', 'false'])
      .prefault('false')
      .transform((given) => given === 'true')
      .describe(
        'Whether the counts of a facet leave out the filters of its own name, and are those of each value if it were selected.',
      ),
    total: z
      .enum(['true', 'false'])
      .prefault('false')
      .transform((given) => given === 'true')
      .describe('Whether to count all hits; takes about as long as the search.'),
    limit: integerParameter({ minimum: 1, maximum: 1000 })
      .prefault(20)
      .describe('Maximum number of hits on a page; a page with fewer may still have a next one.'),
    cursor: pageQuery.cursor,
    whole: wholeParameter(
      'Whether to include the entities, read from the table with one DynamoDB request per 100. Entities deleted since are omitted.',
    ),
    ...includeQuery,
  })
  .refine(({ q, type }) => q !== undefined || type !== undefined, {
    path: ['q'],
    error: 'must be given, unless type is given to list its entities',
  })
  .refine(
    ({ type, filter, order, facet }) =>
      type !== undefined || (filter === undefined && order === undefined && facet === undefined),
    { path: ['type'], error: 'must be given with filter, order and facet' },
  )
  .refine(({ type = [], include }) => include === undefined || new Set(type).size === 1, {
    path: ['type'],
    error: 'must be one type with include',
  })
  .superRefine(refuseIncludeWithoutWhole);

export type SearchTextsQuery = z.output<typeof searchTextsQuery>;

export const searchTextsResponse = z.strictObject({
  items: z.array(
    z.strictObject({
      type: z.string(),
      id: z.string(),
      score: z
        .number()
        .optional()
        .describe(
          'Only when sorted by relevance: higher is better; comparable only within one response.',
        ),
      entity: listedEntity.optional().describe('With `whole`.'),
    }),
  ),
  cursor: nextCursor,
  total: z.int().min(0).optional().describe('With `total`: the number of hits on all pages.'),
  facets: z
    .array(
      z.strictObject({
        name: z.string(),
        values: z
          .array(z.strictObject({ value: attributeValue, count: z.int().min(1) }))
          .describe(
            'The most frequent first; each member of a set counts. Text is in its compared form: collated if the filter is, and truncated if long.',
          ),
        others: z
          .int()
          .min(0)
          .describe(
            'Hits that have another value; for a set, the sum of the counts of other members.',
          ),
      }),
    )
    .optional()
    .describe('With `facet`, in the requested order.'),
  asOf: z.iso.datetime().describe('The index has all changes up to this time.'),
  staleMs: z.int().min(0).describe('Milliseconds since `asOf`: at most 2,000 in normal operation.'),
});
