import {
  attributeKinds,
  encodings,
  entityTypeName,
  idSchema,
  linkAttributeKinds,
  memberKinds,
} from '@engawa/model';
import { z } from 'zod';
import { mostParts } from '../../values/encode-part.ts';

export const mostAttributes = 100;
export const mostRelations = 50;
/** Of one relation: they are in its row, which is written and read with it. */
const maxLinkAttributes = 10;
/** Searches and rankings together: each is a row of every entity, written with it. */
export const mostSearches = 20;
export const mostFullText = 20;
/** Each is a value in the row that the full-text index is built from. */
export const mostFilters = 20;

const nameRule = '1 to 128 characters of any script, no control characters.';
const attributeName = idSchema('name').describe(
  `Its own among attributes and relations: ${nameRule}`,
);
const searchName = idSchema('name').describe(`Its own among searches and rankings: ${nameRule}`);
export const automatic = z
  .enum(['created', 'updated'])
  .optional()
  .describe(
    'Of an instant: written by the service when the entity is created, or with each change of it.',
  );
export const kind = z
  .enum(attributeKinds)
  .describe('`list` and `map` hold any JSON; `set` holds texts or numbers, each once.');
export const memberKind = z
  .enum(memberKinds)
  .optional()
  .describe('Of a set: what its members are; by default `text`.');
/** Each is an item of its own beside the entity: with all other rows, two for each have room in a transaction. */
export const maxUnique = 3;
export const uniqueRule =
  'Of a text, a number or an instant: no two entities of the type ever have the same value.';
const renamedFrom = idSchema('name')
  .optional()
  .describe('What it was called before; of no effect where that is no more.');
export const encoding = z
  .enum(encodings)
  .describe('How it is sorted and found; `collated` is text without regard to case and width.');
export const direction = z
  .enum(['ascending', 'descending'])
  .describe('`descending`: the greatest is rank 1.');

const part = z.strictObject({
  attribute: idSchema('attribute').optional(),
  as: encoding.optional(),
  relation: idSchema('relation')
    .optional()
    .describe('In place of an attribute, the id that a relation to one leads to.'),
});

/** The shape alone: what contradicts itself is for `checkType` to say. */
export const typeBody = z.strictObject({
  attributes: z
    .array(
      z.strictObject({
        name: attributeName,
        kind,
        required: z.boolean().default(false),
        of: memberKind,
        automatic,
        unique: z.boolean().default(false).describe(uniqueRule),
        renamedFrom,
        convert: z
          .boolean()
          .default(false)
          .describe('Whether values of another kind, which it had before, are converted.'),
      }),
    )
    .max(mostAttributes)
    .default([]),
  relations: z
    .array(
      z.strictObject({
        name: attributeName,
        to: entityTypeName.describe('The type of the other entity; it may be declared later.'),
        many: z.boolean().default(false).describe('Whether it leads to any number of entities.'),
        attributes: z
          .array(
            z.strictObject({
              name: idSchema('name'),
              kind: z.enum(linkAttributeKinds),
              required: z.boolean().default(false),
            }),
          )
          .max(maxLinkAttributes)
          .optional()
          .describe('Of a relation to many: what is said of it to each of the other entities.'),
        renamedFrom,
      }),
    )
    .max(mostRelations)
    .default([]),
  searches: z
    .array(
      z.strictObject({
        name: searchName,
        parts: z.array(part).min(1).max(mostParts).describe('In this order.'),
      }),
    )
    .max(mostSearches)
    .default([]),
  rankings: z
    .array(
      z.strictObject({
        name: searchName,
        attribute: idSchema('attribute').describe('A number or an instant.'),
        direction: direction.default('descending'),
        within: idSchema('relation')
          .optional()
          .describe(
            'A relation to one: each entity that it leads to has a ranking of its own, of those that relate to it.',
          ),
      }),
    )
    .max(mostSearches)
    .default([])
    .describe('A change of what the first orders by costs one request.'),
  fullText: z
    .array(idSchema('attribute'))
    .max(mostFullText)
    .default([])
    .describe('The texts, or sets of texts, that the full-text search looks into.'),
  additional: z
    .boolean()
    .default(false)
    .describe('Whether entities may have any other attributes, of any JSON, which no search has.'),
  filters: z
    .array(part)
    .max(mostFilters)
    .default([])
    .describe('What hits of the full-text search are filtered, ordered and counted by.'),
  expires: z
    .strictObject({ attribute: idSchema('attribute').describe('An instant.') })
    .optional()
    .describe(
      'An entity is deleted soon after the instant that it has in this attribute; one without never is.',
    ),
  removed: z
    .array(idSchema('name'))
    .max(mostAttributes + mostRelations)
    .default([])
    .describe('Attributes and relations that were declared, and are taken away with their values.'),
});

export type TypeBody = z.output<typeof typeBody>;
