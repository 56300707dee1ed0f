import { attributeKinds, encodings, entityTypeName, idSchema } from '@engawa/model';
import { z } from 'zod';
import { mostParts } from '../entities/encode-part.ts';
import type { EntityType, SearchPart } from '@engawa/model';

export const mostAttributes = 100;
export const mostRelations = 50;
/** Searches and rankings together: each is a row of every entity, written with it. */
export const mostSearches = 20;
export const mostFullText = 20;

const nameRule = '1 to 128 characters of any script, no control characters.';
const attributeName = idSchema('name').describe(
  `Its own among attributes and relations: ${nameRule}`,
);
const searchName = idSchema('name').describe(`Its own among searches and rankings: ${nameRule}`);
const automatic = z
  .enum(['created', 'updated'])
  .optional()
  .describe(
    'Of an instant: written by the service when the entity is created, or with each change of it.',
  );
const encoding = z
  .enum(encodings)
  .describe('How it is sorted and found; `collated` is text without regard to case and width.');
const direction = z
  .enum(['ascending', 'descending'])
  .describe('`descending`: the greatest is rank 1.');

/** The shape alone: what contradicts itself is for `checkType` to say. */
export const typeBody = z.strictObject({
  attributes: z
    .array(
      z.strictObject({
        name: attributeName,
        kind: z.enum(attributeKinds),
        required: z.boolean().default(false),
        automatic,
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
      }),
    )
    .max(mostRelations)
    .default([]),
  searches: z
    .array(
      z.strictObject({
        name: searchName,
        parts: z
          .array(
            z.strictObject({
              attribute: idSchema('attribute').optional(),
              as: encoding.optional(),
              relation: idSchema('relation')
                .optional()
                .describe('In place of an attribute, the id that a relation to one leads to.'),
            }),
          )
          .min(1)
          .max(mostParts)
          .describe('In this order.'),
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
      }),
    )
    .max(mostSearches)
    .default([])
    .describe('A change of what the first orders by costs one request.'),
  fullText: z
    .array(idSchema('attribute'))
    .max(mostFullText)
    .default([])
    .describe('The texts that the full-text search looks into.'),
});

export type TypeBody = z.output<typeof typeBody>;

const state = z
  .enum(['ready', 'building'])
  .describe('While it is being built from the entities that are there it cannot be asked.');

export const shownType = z
  .strictObject({
    name: z.string(),
    attributes: z.array(
      z.strictObject({
        name: z.string(),
        kind: z.enum(attributeKinds),
        required: z.boolean(),
        automatic,
      }),
    ),
    relations: z.array(z.strictObject({ name: z.string(), to: z.string(), many: z.boolean() })),
    searches: z.array(
      z.strictObject({
        name: z.string(),
        parts: z.array(
          z.union([
            z.strictObject({ attribute: z.string(), as: encoding }),
            z.strictObject({ relation: z.string() }),
          ]),
        ),
        state,
      }),
    ),
    rankings: z.array(
      z.strictObject({ name: z.string(), attribute: z.string(), direction, state }),
    ),
    fullText: z.array(z.string()),
    createdAt: z.iso.datetime(),
    changedAt: z.iso.datetime(),
    version: z.int().describe('Raised by each change; the ETag holds it.'),
  })
  .meta({ id: 'EntityType' });

export const shownTypeWithBuild = shownType
  .extend({
    build: z
      .strictObject({
        done: z.int().describe('Entities that have been looked at.'),
        since: z.iso.datetime().describe('When the type was changed.'),
      })
      .optional()
      .describe('There while entities are brought to what the type says now.'),
  })
  .meta({ id: 'EntityTypeWithBuild' });

export function showType(type: EntityType) {
  const { name, attributes, relations, fullText, createdAt, changedAt, version, built } = type;
  const stateOf = (layout: number) =>
    layout <= built ? ('ready' as const) : ('building' as const);
  return {
    name,
    attributes: [...attributes],
    relations: [...relations],
    searches: type.searches.map(({ name, parts, layout }) => ({
      name,
      parts: parts.map(showPart),
      state: stateOf(layout),
    })),
    rankings: type.rankings.map(({ layout, ...ranking }) => ({
      ...ranking,
      state: stateOf(layout),
    })),
    fullText: [...fullText],
    createdAt: new Date(createdAt),
    changedAt: new Date(changedAt),
    version,
  };
}

function showPart(part: SearchPart) {
  return 'attribute' in part
    ? { attribute: part.attribute, as: part.as }
    : { relation: part.relation };
}
