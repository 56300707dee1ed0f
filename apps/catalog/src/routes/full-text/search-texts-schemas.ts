import {
  integerParameter,
  nextCursor,
  pageQuery,
  repeatedParameter,
  timeZoneParameter,
} from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { attributeValue, shownEntity } from '../../entities/read/entity-schemas.ts';
import { maxFacetValues } from '../../full-text/text-index.ts';
import { wholeParameter } from '../query-parameters.ts';

const maxFilters = 20;
const maxFacets = 10;
/** Characters; a name of 128 that is percent-encoded has 1,536. */
const longestFilter = 4000;

export const searchTextsQuery = z
  .strictObject({
    q: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'What to look for; of punctuation alone nothing is found. Without it, entities of `type` are listed, also those without texts.',
      ),
    type: repeatedParameter(entityTypeName, { maximum: 20 })
      .optional()
      .describe(
        'Only entities of these types; without it, of all. `filter`, `order` and `facet` need it.',
      ),
    filter: repeatedParameter(z.string().min(1).max(longestFilter), { maximum: maxFilters })
      .optional()
      .describe(
        `What a filter of the types has to be: \`released>=1970\`, with \`=\`, \`>\`, \`>=\`, \`<\` or \`<=\`; \`released\` alone asks for any value. Several \`=\` of one name: one of these values. Given up to ${maxFilters} times, all have to hold.`,
      ),
    timeZone: timeZoneParameter.describe(
      'Of an instant in `filter` that is a date, or a time without an offset: by whose clocks it is.',
    ),
    order: z
      .string()
      .min(1)
      .max(longestFilter)
      .optional()
      .describe(
        'The filter that hits are ordered by, such as `released`, or `-released` for the greatest first; those without a value come last. By default the best come first; without `q`, they are in the order of types and ids.',
      ),
    facet: repeatedParameter(z.string().min(1).max(longestFilter), { maximum: maxFacets })
      .optional()
      .describe(
        `A filter whose values are counted among all that is found: the ${maxFacetValues} most frequent ones. Given up to ${maxFacets} times.`,
      ),
    total: z
      .enum(['true', 'false'])
      .prefault('false')
      .transform((given) => given === 'true')
      .describe('Whether to count all that is found; that takes about as long as finding it.'),
    limit: integerParameter({ minimum: 1, maximum: 1000 })
      .prefault(20)
      .describe('How many to give at most; a page may hold fewer and still have a next one.'),
    cursor: pageQuery.cursor,
    whole: wholeParameter(
      'With the entities themselves, as they are in the table now: a request for each 100. Those that are gone by now are left out.',
    ),
  })
  .refine(({ q, type }) => q !== undefined || type !== undefined, {
    path: ['q'],
    error: 'must be given, or a type whose entities are listed',
  })
  .refine(
    ({ type, filter, order, facet }) =>
      type !== undefined || (filter === undefined && order === undefined && facet === undefined),
    { path: ['type'], error: 'must be given with filter, order and facet' },
  );

export type SearchTextsQuery = z.output<typeof searchTextsQuery>;

export const searchTextsAnswer = z.strictObject({
  items: z.array(
    z.strictObject({
      type: z.string(),
      id: z.string(),
      score: z
        .number()
        .optional()
        .describe(
          'Where the best come first: higher is better; of meaning only beside others of this answer.',
        ),
      entity: shownEntity.optional(),
    }),
  ),
  cursor: nextCursor,
  total: z.int().min(0).optional().describe('With `total`: how many are found, on all pages.'),
  facets: z
    .array(
      z.strictObject({
        name: z.string(),
        values: z
          .array(z.strictObject({ value: attributeValue, count: z.int().min(1) }))
          .describe(
            'The most frequent first. Text is as it is compared: collated, and of long ones the beginning.',
          ),
        others: z.int().min(0).describe('Entities found that have another value.'),
      }),
    )
    .optional()
    .describe('With `facet`, in that order.'),
  asOf: z.iso.datetime().describe('Changes up to then have been looked into.'),
  staleMs: z.int().min(0).describe('Milliseconds since then: at most 2,000 while all is well.'),
});
