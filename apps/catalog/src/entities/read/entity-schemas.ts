import { entityId, entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { toJsonValue } from '../../values/check-value.ts';
import { onlyFields } from '../../values/fields.ts';
import type { AttributeValue, Entity, EntityType, ScalarValue } from '@engawa/model';
import type { LinksByRelation } from './item-collection.ts';
import type { Fields } from '../../values/fields.ts';

/** An attribute in a response; numbers keep all digits. */
export const attributeValue = z
  .unknown()
  .meta({ id: 'AttributeValue' })
  .describe(
    'Any JSON: a text, a number, true or false; an instant as ISO-8601 in UTC; a list, a map; a set as a sorted list.',
  );

export const attributesOutput = z.record(z.string(), attributeValue).describe('By name.');

/** An entity as lists, searches and rankings show it. */
export const entityOutput = z
  .strictObject({
    type: z.string(),
    id: z.string(),
    attributes: attributesOutput,
    relations: z
      .record(z.string(), z.string())
      .describe(
        'The target id of each relation to one. Relations to many are listed by `related`; PUT keeps them if they are omitted.',
      ),
    unconverted: attributesOutput
      .optional()
      .describe(
        'Values that could not be converted when the kind of their attribute changed; each is kept until the attribute is set to a value or null.',
      ),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: z.int().describe('Incremented by each change; part of the ETag.'),
  })
  .meta({ id: 'Entity' });

export function showEntity(entity: Entity, fields?: Fields) {
  const { type, id, createdAt, updatedAt, version } = entity;
  const attributes = onlyFields(entity.attributes, fields);
  const one = onlyFields(entity.one, fields);
  const unconverted = onlyFields(entity.unconverted ?? new Map<string, AttributeValue>(), fields);
  return {
    type,
    id,
    attributes: showAttributes(attributes),
    relations: Object.fromEntries(byName(one)),
    ...(unconverted.size > 0 && { unconverted: showAttributes(unconverted) }),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    version,
  };
}

/** A target of a relation to many that declares attributes. */
const linkOutput = z.strictObject({
  id: z.string(),
  attributes: attributesOutput
    .optional()
    .describe('Attributes of the relation; absent if it has none.'),
});

/** Relations of which other targets are on other pages. */
export const relationParts = z
  .record(z.string(), z.union([z.array(z.string()), z.array(linkOutput)]))
  .describe(
    'Relations to many that are shown in part, since their other targets are on other pages. They are not in `relations`, so PUT of the response keeps them; change them with POST …/relations/{name}.',
  );

/** An entity with all its relations. */
export const wholeEntityOutput = entityOutput
  .extend({
    relations: z
      .record(z.string(), z.union([z.string(), z.array(z.string()), z.array(linkOutput)]))
      .describe(
        'The target id of each relation to one, the target ids of each relation to many; if the relation declares attributes, objects with id and attributes.',
      ),
  })
  .meta({ id: 'WholeEntity' });

/** Whether a relation to many is shown in part, since its other targets are on other pages. */
type IsPart = (relation: string) => boolean;

export interface WholeEntityOptions {
  /** The relations to many, and whether they declare attributes. */
  many: ReadonlyMap<string, boolean>;
  links: LinksByRelation;
  fields?: Fields | undefined;
  /** Default: all relations are complete. */
  isPart?: IsPart;
}

export function showWholeEntity(
  entity: Entity,
  relations: ReadonlyMap<string, readonly string[]>,
  { many, links, fields, isPart = () => false }: WholeEntityOptions,
) {
  const lists = [...onlyFields(relations, fields)].filter(([name]) => many.has(name));
  const shown = lists.map(([name, ids]): [string, string[] | Link[]] => {
    const isLinked = many.get(name) === true;
    return [name, isLinked ? ids.map((id) => showLink(id, links.get(name)?.get(id))) : [...ids]];
  });
  const parts = shown.filter(([name]) => isPart(name));
  return {
    ...showEntity(entity, fields),
    relations: Object.fromEntries<string | string[] | Link[]>([
      ...byName(onlyFields(entity.one, fields)),
      ...shown.filter(([name]) => !isPart(name)),
    ]),
    ...(parts.length > 0 && { relationParts: Object.fromEntries<string[] | Link[]>(parts) }),
  };
}

interface Link {
  id: string;
  attributes?: ReturnType<typeof showAttributes>;
}

function showLink(id: string, attributes: ReadonlyMap<string, ScalarValue> | undefined): Link {
  return { id, ...(attributes && { attributes: showAttributes(attributes) }) };
}

/** The relations to many of a type, and whether they declare attributes. */
export function manyOf({ relations }: EntityType): Map<string, boolean> {
  const many = relations.filter((relation) => relation.many);
  return new Map(many.map(({ name, attributes = [] }) => [name, attributes.length > 0]));
}

/** DynamoDB returns maps in any order; sorted, equal responses have equal ETags. */
function byName<Value>(values: ReadonlyMap<string, Value>): [string, Value][] {
  return [...values].toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** A Decimal is written to JSON as a number. */
export function showAttributes(values: ReadonlyMap<string, AttributeValue>) {
  return Object.fromEntries(byName(values).map(([name, value]) => [name, toJsonValue(value)]));
}

/** The parameters of a path to one entity. */
export const entityPath = z.strictObject({ type: entityTypeName, id: entityId });
