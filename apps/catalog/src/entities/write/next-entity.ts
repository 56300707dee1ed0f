import { isDeepStrictEqual } from 'node:util';
import { ulid } from 'ulid';
import { recentAdditions } from './additions.ts';
import { throwFieldErrors } from '../../values/invalid-request.ts';
import { relationCountErrors } from '../content/check-content.ts';
import { relationIds } from '../read/item-collection.ts';
import { changesLinks } from '../relations/relation-attributes.ts';
import type { EntityName } from '@engawa/keys';
import type { AttributeValue, Entity, EntityType } from '@engawa/model';
import type { AdditionMark } from './additions.ts';
import type { ItemCollection } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';

export interface NextEntityOptions {
  name: EntityName;
  type: EntityType;
  /** Undefined where the entity does not exist. */
  before: Entity | undefined;
  content: Content;
  /** The incarnation of the tombstone, if there is one. */
  incarnation?: string | undefined;
  /** Mark of the additions among the changes. */
  mark?: AdditionMark | undefined;
}

/** The entity with this content and the next version. */
export function nextEntity(options: NextEntityOptions): Entity {
  const { name, type, before, content, incarnation, mark } = options;
  const now = Date.now();
  const writeId = ulid();
  const createdAt = before?.createdAt ?? now;
  // Always increasing, even if clocks go backwards: change feeds rely on it.
  const updatedAt = Math.max(now, (before?.updatedAt ?? 0) + 1);
  const one = type.relations.flatMap(({ name: relation, many }) => {
    const [id] = many ? [] : (content.relations.get(relation) ?? []);
    return id === undefined ? [] : [[relation, id] as const];
  });
  const additions = recentAdditions(before?.additions, now);
  if (mark !== undefined) additions.set(mark.by, mark.id);
  return {
    // Only type and id: `name` may be a whole entity, whose mark of a staged write must not be copied.
    type: name.type,
    id: name.id,
    attributes: new Map([
      ...content.attributes,
      ...automaticAttributes(type, { createdAt, updatedAt }),
    ]),
    one: new Map(one),
    createdAt,
    updatedAt,
    version: (before?.version ?? 0) + 1,
    layout: type.layout,
    writeId,
    creation: before === undefined ? writeId : before.creation,
    incarnation: before === undefined ? incarnation : before.incarnation,
    relationCount: before?.relationCount,
    settles: before?.settles,
    additions,
    ...(before?.unconverted && { unconverted: without(before.unconverted, content.attributes) }),
  };
}

/** The entity without unconverted values of attributes that the request changes. */
export function withoutUnconverted(entity: Entity, changed: ReadonlyMap<string, unknown>): Entity {
  const { unconverted } = entity;
  const isChanged =
    unconverted !== undefined && [...unconverted.keys()].some((name) => changed.has(name));
  return isChanged ? { ...entity, unconverted: without(unconverted, changed) } : entity;
}

function without<Value>(
  values: ReadonlyMap<string, Value>,
  names: ReadonlyMap<string, unknown>,
): Map<string, Value> {
  return new Map([...values].filter(([name]) => !names.has(name)));
}

/** The automatic attributes of an entity. */
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

/** The content of a stored entity; without relations to many where relations were not read. */
export function contentOf(before: ItemCollection): Content {
  const { entity, relations } = before;
  if (relations !== undefined) {
    return { attributes: entity?.attributes ?? new Map(), relations: relationIds(before) };
  }
  const one = [...(entity?.one ?? [])].map(([name, id]) => [name, [id]] as const);
  return { attributes: entity?.attributes ?? new Map(), relations: new Map(one) };
}

/**
 * The content plus the stored relations to many that it does not name: most responses omit these, and sending one back
 * must not delete them. @throws Problem `invalid-request` where there are too many relations in total
 */
export function withUnnamedRelations(
  content: Content,
  before: ItemCollection,
  type: EntityType,
): Content {
  const current = relationIds(before);
  const kept = type.relations.flatMap(({ name, many }) => {
    const ids = many && !content.relations.has(name) ? current.get(name) : undefined;
    return ids === undefined ? [] : [[name, ids] as const];
  });
  if (kept.length === 0) return content;
  const relations = new Map([...content.relations, ...kept]);
  throwFieldErrors(relationCountErrors(relations));
  return { ...content, relations };
}

/** Whether the entity has this content already, in the current layout of its type. */
export function isSameContent(before: ItemCollection, type: EntityType, content: Content): boolean {
  if (before.entity?.layout !== type.layout) return false;
  const current = contentOf(before);
  return (
    isDeepStrictEqual(ownAttributes(type, current), ownAttributes(type, content)) &&
    isDeepStrictEqual(sortedRelations(current), sortedRelations(content)) &&
    !changesLinks(before, type, content.links)
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
