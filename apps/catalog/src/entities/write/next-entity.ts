import { isDeepStrictEqual } from 'node:util';
import { ulid } from 'ulid';
import { recentAdditions } from './addition-marks.ts';
import { throwFieldErrors } from '../../values/invalid-request.ts';
import { tooMany } from '../content/check-content.ts';
import { relationIds } from '../read/item-collection.ts';
import { changesLinks } from '../relations/relation-attributes.ts';
import type { EntityName } from '@engawa/keys';
import type { AttributeValue, Entity, EntityType } from '@engawa/model';
import type { AdditionMark } from './addition-marks.ts';
import type { Collection } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';

export interface NextEntityOptions {
  name: EntityName;
  type: EntityType;
  /** Undefined where there is none. */
  before: Entity | undefined;
  content: Content;
  /** Where there is none, but a tombstone: what that says. */
  incarnation?: string | undefined;
  /** Of the additions among what has changed. */
  mark?: AdditionMark | undefined;
}

/** The entity of this content, one version on. */
export function nextEntity(options: NextEntityOptions): Entity {
  const { name, type, before, content, incarnation, mark } = options;
  const now = Date.now();
  const writeId = ulid();
  const createdAt = before?.createdAt ?? now;
  // Never backwards, whatever clocks do: readers of changes go by it.
  const updatedAt = Math.max(now, (before?.updatedAt ?? 0) + 1);
  const one = type.relations.flatMap(({ name: relation, many }) => {
    const [id] = many ? [] : (content.relations.get(relation) ?? []);
    return id === undefined ? [] : [[relation, id] as const];
  });
  const additions = recentAdditions(before?.additions, now);
  if (mark !== undefined) additions.set(mark.by, mark.id);
  return {
    // Of the name nothing else: a whole entity would bring the mark of a staged write along, which has to end here.
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

/** The entity without what could not be converted of attributes that get another value now, or none. */
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

/**
 * The content with the relations to many that it does not name as they are: most answers leave these out, and none of them
 * must be lost where one is sent back. @throws Problem `invalid-request` where all together are too many
 */
export function withUnnamed(content: Content, before: Collection, type: EntityType): Content {
  const there = relationIds(before);
  const unnamed = type.relations.flatMap(({ name, many }) => {
    const ids = many && !content.relations.has(name) ? there.get(name) : undefined;
    return ids === undefined ? [] : [[name, ids] as const];
  });
  if (unnamed.length === 0) return content;
  const relations = new Map([...content.relations, ...unnamed]);
  throwFieldErrors(tooMany(relations));
  return { ...content, relations };
}

/** Whether the entity has this content already, as its type wants it to be stored. */
export function isSameContent(before: Collection, type: EntityType, content: Content): boolean {
  if (before.entity?.layout !== type.layout) return false;
  const there = contentOf(before);
  return (
    isDeepStrictEqual(ownAttributes(type, there), ownAttributes(type, content)) &&
    isDeepStrictEqual(sortedRelations(there), sortedRelations(content)) &&
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
