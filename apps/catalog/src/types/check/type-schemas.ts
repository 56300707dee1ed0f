import {
  attributeKinds,
  encodings,
  entityTypeName,
  idSchema,
  linkAttributeKinds,
  memberKinds,
} from '@engawa/model';
import { periodLengths } from '@engawa/keys';
import { z } from 'zod';
import { maxParts } from '../../values/encode-part.ts';

export const maxAttributes = 100;
export const maxRelations = 50;
/** Attributes of a relation, which are in its row. */
export const maxLinkAttributes = 10;
/** Searches and rankings in total: each is a row of every entity. */
export const maxSearches = 20;
export const maxFullText = 20;
/** Each is a value in the text row of an entity. */
export const maxFilters = 20;

const nameRule = '1 to 128 characters of any script, no control characters.';
const attributeName = idSchema('name').describe(
  `Unique among attributes and relations: ${nameRule}`,
);
const searchName = idSchema('name').describe(`Unique among searches and rankings: ${nameRule}`);
export const automatic = z
  .enum(['created', 'updated'])
  .optional()
  .describe('For an instant: the service sets it when the entity is created, or at each change.');
export const kind = z
  .enum(attributeKinds)
  .describe('`list` and `map` have any JSON; `set` has distinct texts or numbers.');
export const memberKind = z
  .enum(memberKinds)
  .optional()
  .describe('For a set: the kind of its members; default: `text`.');
/** Each has up to two writes of its own; with all other rows, they fit into a transaction. */
export const maxUnique = 3;
export const uniqueRule =
  'For a text, a number or an instant: no two entities of the type have the same value.';
const renamedFrom = idSchema('name')
  .optional()
  .describe('Its previous name; ignored if the type has no such name any more.');
export const encoding = z
  .enum(encodings)
  .describe('How it is sorted and compared; `collated` is text regardless of case and width.');
export const direction = z
  .enum(['ascending', 'descending'])
  .describe('`descending`: the highest value has rank 1.');

export const periodLength = z
  .enum(periodLengths)
  .describe('A day, an ISO week (Monday to Sunday) or a month, all in UTC.');

const part = z.strictObject({
  attribute: idSchema('attribute').optional(),
  as: encoding.optional(),
  relation: idSchema('relation')
    .optional()
    .describe('Instead of an attribute: a relation to one, searched by the id of its target.'),
});

/** The shape of a declaration; `checkType` checks its consistency. */
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
          .describe('Whether existing values of the previous kind are converted.'),
      }),
    )
    .max(maxAttributes)
    .default([]),
  relations: z
    .array(
      z.strictObject({
        name: attributeName,
        to: entityTypeName.describe('The type of the target; it may be declared later.'),
        many: z.boolean().default(false).describe('Whether it may have several targets.'),
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
          .describe('For a relation to many: attributes of the relation to each target.'),
        renamedFrom,
      }),
    )
    .max(maxRelations)
    .default([]),
  searches: z
    .array(
      z.strictObject({
        name: searchName,
        parts: z.array(part).min(1).max(maxParts).describe('In sort order.'),
      }),
    )
    .max(maxSearches)
    .default([]),
  rankings: z
    .array(
      z.strictObject({
        name: searchName,
        attribute: idSchema('attribute').describe('A number or an instant.'),
        direction: direction.default('descending'),
        ties: z
          .strictObject({
            attribute: idSchema('attribute').describe('Another number or instant.'),
            direction,
          })
          .optional()
          .describe('Sorts entities with equal values; entities without this value come last.'),
        within: idSchema('relation')
          .optional()
          .describe(
            'A relation to one: each target has its own ranking of the entities that relate to it.',
          ),
        period: z
          .strictObject({
            attribute: idSchema('attribute').describe('An instant.'),
            length: periodLength,
          })
          .optional()
          .describe(
            'Each period has its own ranking of the entities whose instant is in it; entities without it are in none.',
          ),
      }),
    )
    .max(maxSearches)
    .default([])
    .describe('A change of the value of the first ranking costs one DynamoDB request.'),
  fullText: z
    .array(idSchema('attribute'))
    .max(maxFullText)
    .default([])
    .describe('The texts, or sets of texts, that the full-text search indexes.'),
  additional: z
    .boolean()
    .default(false)
    .describe(
      'Whether entities may have undeclared attributes with any JSON, which cannot be searched.',
    ),
  filters: z
    .array(part)
    .max(maxFilters)
    .default([])
    .describe(
      'Attributes and relations by which hits of the full-text search can be filtered, sorted and counted.',
    ),
  expires: z
    .strictObject({ attribute: idSchema('attribute').describe('An instant.') })
    .optional()
    .describe(
      'An entity is deleted soon after the time in this attribute; without a value, it does not expire.',
    ),
  removed: z
    .array(idSchema('name'))
    .max(maxAttributes + maxRelations)
    .default([])
    .describe('Previously declared attributes and relations to delete, with their values.'),
});

export type TypeBody = z.output<typeof typeBody>;
