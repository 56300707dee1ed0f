import { createHash } from 'node:crypto';
import { id } from '../segments/text.ts';
import { instant } from '../segments/instant.ts';
import { partitionKey, sortKey } from './key.ts';
import { decodeTuple, encodeSegment, encodeTuple, tuplePrefix } from '../tuple.ts';
import type { Gsi1Key, Gsi2Key, Key, SortKeyRange } from './key.ts';

/** Comes next to the separator, and is never the last character of a segment: it only ever begins an escape. */
const afterSeparator = '$';

/** An entity of the catalogue, by its type and id. */
export interface EntityName {
  type: string;
  id: string;
}

/** All types, and the mark of when one of them was last changed, are one item collection. */
export const entityTypePartition = 'TYPE';

export function entityTypeKey(type: string): Key {
  return { pk: entityTypePartition, sk: sortKey('type', ['TYPE', id('type', type)]) };
}

/** Raised with each change of any type: who has seen it knows whether the types it holds are those of the table. */
export const entityTypesMarkKey: Key = { pk: entityTypePartition, sk: 'MARK' };

/** An entity, its relations and its search attributes are one item collection. */
export function entityPartition(entity: EntityName): string {
  return partitionKey('entity', entitySegments(entity));
}

export function entityKey(entity: EntityName): Key {
  return { pk: entityPartition(entity), sk: sortKey('entity', entitySegments(entity)) };
}

/** A relation from one entity to another, and the way back through the index. */
export function relationKey(from: EntityName, to: EntityName): Key & Gsi1Key {
  return {
    pk: entityPartition(from),
    sk: sortKey('relation', relationSegments(to)),
    gsi1pk: entityPartition(to),
    gsi1sk: sortKey('relation', relationSegments(from)),
  };
}

/** What the sort key (forward) or `gsi1sk` (backward) of every relation with entities of `type` begins with. */
export function relationPrefix(type: string): string {
  return tuplePrefix(['R', id('type', type)]);
}

/** The same of relations with entities of any type. */
export const anyRelationPrefix = tuplePrefix(['R']);

/** Puts an entity among those of its type, in the order of their ids (of creation, where these are ULIDs). */
export function entityListKey(shard: number, entity: EntityName): Gsi1Key {
  return {
    gsi1pk: entityListPartition(shard, entity.type),
    gsi1sk: sortKey('entity', [id('id', entity.id)]),
  };
}

export function entityListPartition(shard: number, type: string): string {
  return partitionKey('type', ['LIST', 'E', id('type', type), String(shard)]);
}

export interface AttributeRow {
  entity: EntityName;
  search: string;
  /** Of a search of a set, which has a row for each member: the row's `gsi2sk`. */
  at?: string | undefined;
}

/** One row a search, or a member of its set: what makes an entity found by its attributes. */
export function attributeRowKey({ entity, search, at }: AttributeRow): Key {
  return {
    pk: entityPartition(entity),
    // Behind the entity's own item: who reads all of them in a row has read first what every write changes.
    sk: sortKey('search', [
      'F',
      id('type', entity.type),
      id('search', search),
      ...(at === undefined ? [] : [hashOf(at)]),
    ]),
  };
}

/** 128 bits: what is found may take more bytes than are left in a sort key. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/**
 * What is found by a search, or ordered by a ranking: a name stands for one of the two in its type. `within` is the id of the
 * entity whose own ranking it is.
 */
export function attributePartition(
  shard: number,
  type: string,
  search: string,
  within?: string,
): string {
  const parent = within === undefined ? [] : [id('within', within)];
  const segments = ['A', id('type', type), id('search', search), ...parent];
  return partitionKey('search', [...segments, String(shard)]);
}

/** `value` holds the segments of the parts that the search composes, each already in its encoding. */
export function attributeIndexKey(
  shard: number,
  { entity, search }: AttributeRow,
  value: readonly string[],
): Gsi2Key {
  return {
    gsi2pk: attributePartition(shard, entity.type, search),
    gsi2sk: sortKey(search, [...value, id('id', entity.id)]),
  };
}

/** The entity that a sort key of a search with so many parts belongs to. */
export function attributeIndexId(gsi2sk: string): string {
  return decodeTuple(gsi2sk).at(-1) ?? '';
}

/** What `gsi2sk` begins with where the first parts are `values`. */
export function attributePrefix(values: readonly string[]): string {
  return values.length === 0 ? '' : tuplePrefix(values);
}

/** The same where the part behind them begins with `text`, already in its encoding. */
export function attributeTextPrefix(values: readonly string[], text: string): string {
  return attributePrefix(values) + encodeSegment(text);
}

/** From those that have `from` behind `values` to those that have `to` there, both inclusive; without one, to the end. */
export function attributeRange(
  values: readonly string[],
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Partial<SortKeyRange> {
  const before = attributePrefix(values);
  const first = from === undefined ? before : before + encodeSegment(from);
  const last = to === undefined ? values : [...values, to];
  return {
    ...(first !== '' && { from: first }),
    // Above all that continue with a separator, below whatever else the last segment may go on with.
    ...(last.length > 0 && { to: encodeTuple(last) + afterSeparator }),
  };
}

/** One row an entity of a type with full text: its texts, found by when they last changed. */
export function textRowKey(entity: EntityName): Key {
  return { pk: entityPartition(entity), sk: 'FULLTEXT' };
}

/** One row an entity of which something cannot be found: what searches leave out, and what could not be converted. */
export function leftOutKey(entity: EntityName): Key & Gsi2Key {
  return {
    pk: entityPartition(entity),
    sk: 'LEFTOUT',
    gsi2pk: leftOutPartition(entity.type),
    gsi2sk: sortKey('entity', [id('id', entity.id)]),
  };
}

/** The entities of a type of which something cannot be found. */
export function leftOutPartition(type: string): string {
  return partitionKey('type', ['LEFTOUT', id('type', type)]);
}

/** What an entity's collection begins with, before its relations: its own item, its texts and what searches have of it. */
export const beforeRelations: Partial<SortKeyRange> = { to: 'R' };

export function textChangePartition(shard: number): string {
  return partitionKey('shard', ['CHANGED', 'TEXT', String(shard)]);
}

/** `changedAt` in epoch milliseconds. */
export function textChangeKey(shard: number, changedAt: number, entity: EntityName): Gsi2Key {
  return {
    gsi2pk: textChangePartition(shard),
    gsi2sk: sortKey('entity', [
      instant('changedAt', changedAt),
      id('type', entity.type),
      id('id', entity.id),
    ]),
  };
}

/** What `gsi2sk` of changes from then on is not below. */
export function textChangesFrom(changedAt: number): string {
  return instant('changedAt', changedAt);
}

/** What the catalogue has begun and not yet ended; see parseKey. */
export const catalogTaskPartition = partitionKey('pk', ['TASKS', 'CATALOG']);

export function catalogTaskKey(kind: string, ...segments: string[]): Key {
  return { pk: catalogTaskPartition, sk: sortKey('task', [kind, ...segments]) };
}

function entitySegments(entity: EntityName): string[] {
  return ['E', id('type', entity.type), id('id', entity.id)];
}

function relationSegments(entity: EntityName): string[] {
  return ['R', id('type', entity.type), id('id', entity.id)];
}
