import { isDeepStrictEqual } from 'node:util';
import { ulid } from 'ulid';
import { relationIds } from './collection.ts';
import type { EntityName } from '@engawa/keys';
import type { AttributeValue, Entity, EntityType } from '@engawa/model';
import type { Collection } from './collection.ts';
import type { Content } from './content.ts';

export interface NextEntityOptions {
  name: EntityName;
  type: EntityType;
  /** Undefined where there is none. */
  before: Entity | undefined;
  content: Content;
}

/** The entity of this content, one version on. */
export function nextEntity({ name, type, before, content }: NextEntityOptions): Entity {
  const now = Date.now();
  const createdAt = before?.createdAt ?? now;
  // Never backwards, whatever clocks do: readers of changes go by it.
  const updatedAt = Math.max(now, (before?.updatedAt ?? 0) + 1);
  const one = type.relations.flatMap(({ name: relation, many }) => {
    const [id] = many ? [] : (content.relations.get(relation) ?? []);
    return id === undefined ? [] : [[relation, id] as const];
  });
  return {
    ...name,
    attributes: new Map([
      ...content.attributes,
      ...automaticAttributes(type, { createdAt, updatedAt }),
    ]),
    one: new Map(one),
    createdAt,
    updatedAt,
    version: (before?.version ?? 0) + 1,
    layout: type.layout,
    writeId: ulid(),
    settles: before?.settles,
  };
}

/** What the service writes by itself. */
export function automaticAttributes(
  { attributes }: EntityType,
  times: { createdAt?: number; updatedAt: number },
): [string, string][] {
  return attributes.flatMap(({ name, automatic }) => {
    const time = automatic === 'created' ? times.createdAt : times.updatedAt;
    if (automatic === undefined || time === undefined) return [];
    return [[name, new Date(time).toISOString()] as [string, string]];
  });
}

/** What there is of an entity, as its user has said it; without relations to many where those were not read. */
export function contentOf(before: Collection): Content {
  const { entity, relations } = before;
  if (relations !== undefined) {
    return { attributes: entity?.attributes ?? new Map(), relations: relationIds(before) };
  }
  const one = [...(entity?.one ?? [])].map(([name, id]) => [name, [id]] as const);
  return { attributes: entity?.attributes ?? new Map(), relations: new Map(one) };
}

/** Whether the entity has this content already, as its type wants it to be stored. */
export function isSameContent(before: Collection, type: EntityType, content: Content): boolean {
  if (before.entity?.layout !== type.layout) return false;
  const there = contentOf(before);
  return (
    isDeepStrictEqual(ownAttributes(type, there), ownAttributes(type, content)) &&
    isDeepStrictEqual(sortedRelations(there), sortedRelations(content))
  );
}

function ownAttributes(type: EntityType, content: Content): Map<string, AttributeValue> {
  const automatic = new Set(
    type.attributes.flatMap(({ name, automatic }) => (automatic === undefined ? [] : [name])),
  );
  return new Map([...content.attributes].filter(([name]) => !automatic.has(name)));
}

function sortedRelations({ relations }: Content): Map<string, string[]> {
  const named = [...relations].filter(([, ids]) => ids.length > 0);
  return new Map(named.map(([name, ids]) => [name, ids.toSorted()]));
}
