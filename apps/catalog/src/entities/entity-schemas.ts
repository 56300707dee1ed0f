import { entityId, entityTypeName } from '@engawa/model';
import { z } from 'zod';
import type { AttributeValue, Entity, EntityType } from '@engawa/model';

/** An attribute in an answer; a number is written to the digit. */
const shownValue = z
  .union([z.string(), z.number(), z.boolean()])
  .meta({ id: 'AttributeValue' })
  .describe('A text, a number, true or false; an instant is ISO-8601 in UTC.');

export const shownAttributes = z.record(z.string(), shownValue).describe('By name.');

/** An entity as lists, searches and rankings show it. */
export const shownEntity = z
  .strictObject({
    type: z.string(),
    id: z.string(),
    attributes: shownAttributes,
    relations: z
      .record(z.string(), z.string())
      .describe('The id that each relation to one leads to; see `related` for those to many.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: z.int().describe('Also in its ETag.'),
  })
  .meta({ id: 'Entity' });

export function showEntity(entity: Entity) {
  const { type, id, attributes, one, createdAt, updatedAt, version } = entity;
  return {
    type,
    id,
    attributes: showAttributes(attributes),
    relations: Object.fromEntries(one),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    version,
  };
}

/** An entity with all that it relates to. */
export const wholeEntity = shownEntity
  .extend({
    relations: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .describe('The id that each relation to one leads to, the ids that each to many leads to.'),
  })
  .meta({ id: 'WholeEntity' });

/** `many`: the relations that may lead to several. */
export function showWholeEntity(
  entity: Entity,
  relations: ReadonlyMap<string, readonly string[]>,
  many: ReadonlySet<string>,
) {
  const lists = [...relations].filter(([name]) => many.has(name));
  return {
    ...showEntity(entity),
    relations: Object.fromEntries<string | string[]>([
      ...entity.one,
      ...lists.map(([name, ids]): [string, string[]] => [name, [...ids]]),
    ]),
  };
}

/** The names of the relations of a type that may lead to several. */
export function manyOf({ relations }: EntityType): Set<string> {
  return new Set(relations.flatMap(({ name, many }) => (many ? [name] : [])));
}

/** A Decimal among them becomes a number when it is written as JSON. */
export function showAttributes(values: ReadonlyMap<string, AttributeValue>) {
  return Object.fromEntries(values) as Record<string, string | number | boolean>;
}

/** The parameters of a path to one entity. */
export const entityPath = z.strictObject({ type: entityTypeName, id: entityId });
