import {
  integerParameter,
  nextCursor,
  pageQuery,
  repeatedParameter,
  timeZoneParameter,
} from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { attributeValue, entityOutput } from '../../entities/read/entity-schemas.ts';
import { maxFacetValues } from '../../full-text/text-index.ts';
import { wholeParameter } from '../query-parameters.ts';

const maxFilters = 20;
const maxFacets = 10;
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
        `A condition on a filter of the types: \`released>=1970\`, with \`=\`, \`>\`, \`>=\`, \`<\` or \`<=\`; \`released\` alone matches any value. Several \`=\` on one name match any of the values. May be repeated up to ${maxFilters} times; all conditions must match.`,
      ),
    timeZone: timeZoneParameter.describe(
      'Time zone of an instant in `filter` that is a date, or a time without an offset.',
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
  })
  .refine(({ q, type }) => q !== undefined || type !== undefined, {
    path: ['q'],
    error: 'must be given, unless type is given to list its entities',
  })
  .refine(
    ({ type, filter, order, facet }) =>
      type !== undefined || (filter === undefined && order === undefined && facet === undefined),
    { path: ['type'], error: 'must be given with filter, order and facet' },
  );

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
      entity: entityOutput.optional(),
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
            'The most frequent first. Text is in its compared form: collated if the filter is, and truncated if long.',
          ),
        others: z.int().min(0).describe('Hits that have another value.'),
      }),
    )
    .optional()
    .describe('With `facet`, in the requested order.'),
  asOf: z.iso.datetime().describe('The index has all changes up to this time.'),
  staleMs: z.int().min(0).describe('Milliseconds since `asOf`: at most 2,000 in normal operation.'),
});
