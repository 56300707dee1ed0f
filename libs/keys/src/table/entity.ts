import { createHash } from 'node:crypto';
import { id } from '../segments/text.ts';
import { instant } from '../segments/instant.ts';
import { partitionKey, sortKey } from './key.ts';
import { decodeTuple, encodeSegment, encodeTuple, lastSegment, tuplePrefix } from '../tuple.ts';
import type { Gsi1Key, Gsi2Key, Key, SortKeyRange } from './key.ts';

/** The character after the separator in byte order. It begins an escape, so no segment ends with it. */
const afterSeparator = '$';

/** An entity of the catalog, by its type and id. */
export interface EntityName {
  type: string;
  id: string;
}

/** All types, and the marker of the last change of a type, are one item collection. */
export const entityTypePartition = 'TYPE';

export function entityTypeKey(type: string): Key {
  return { pk: entityTypePartition, sk: sortKey('type', ['TYPE', id('type', type)]) };
}

/** Incremented by each change of a type, so that a cache of types can be checked with one read. */
export const entityTypesMarkKey: Key = { pk: entityTypePartition, sk: 'MARK' };

/** An entity, its relations and its search attributes are one item collection. */
export function entityPartition(entity: EntityName): string {
  return partitionKey('entity', entitySegments(entity));
}

export function entityKey(entity: EntityName): Key {
  return { pk: entityPartition(entity), sk: sortKey('entity', entitySegments(entity)) };
}

/** A relation from one entity to another; the index has it in the opposite direction. */
export function relationKey(from: EntityName, to: EntityName): Key & Gsi1Key {
  return {
    pk: entityPartition(from),
    sk: sortKey('relation', relationSegments(to)),
    gsi1pk: entityPartition(to),
    gsi1sk: sortKey('relation', relationSegments(from)),
  };
}

/** The prefix of the sort key (forward) or `gsi1sk` (backward) of all relations with entities of `type`. */
export function relationPrefix(type: string): string {
  return tuplePrefix(['R', id('type', type)]);
}

/** `relationPrefix` for relations with entities of any type. */
export const anyRelationPrefix = tuplePrefix(['R']);

/** Adds an entity to the list of its type, in the order of the ids (of creation, if they are ULIDs). */
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
  /** The `gsi2sk` of a row of a searched set, which has a row for each member. */
  at?: string | undefined;
}

/** The row by which a search finds an entity: one per search, or per member of a searched set. */
export function attributeRowKey({ entity, search, at }: AttributeRow): Key {
  return {
    pk: entityPartition(entity),
    // Sorted behind the entity's own item, so that a read of the collection begins with the item
    // that every write changes.
    sk: sortKey('search', [
      'F',
      id('type', entity.type),
      id('search', search),
      ...(at === undefined ? [] : [hashOf(at)]),
    ]),
  };
}

/** 128 bits, because the value itself may be too long for a sort key. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** A part of a ranking with partitions of its own. */
export interface RankingPart {
  /** The id of the entity to which it belongs. */
  within?: string | undefined;
  /** Its name (`periodOf`). */
  period?: string | undefined;
}

/** The rows of a search or of a ranking, which share one namespace in their type. */
export function attributePartition(
  shard: number,
  type: string,
  search: string,
  { within, period }: RankingPart = {},
): string {
  const parent = within === undefined ? [] : [id('within', within)];
  // A period is the fifth segment also without a parent: an id may be equal to its name.
  const part = period === undefined ? parent : [...(within === undefined ? [''] : parent), period];
  const segments = ['A', id('type', type), id('search', search), ...part];
  return partitionKey('search', [...segments, String(shard)]);
}

/** The part of a ranking that has this partition. */
export function rankingPartOf(gsi2pk: string): RankingPart {
  const [within = '', period] = decodeTuple(gsi2pk).slice(3, -1);
  return { within: within === '' ? undefined : within, period };
}

/** @param value the encoded parts of the search, in their order */
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

/** The id of the entity of a search row, from its sort key. */
export function attributeIndexId(gsi2sk: string): string {
  return lastSegment(gsi2sk);
}

/** The prefix of `gsi2sk` where the first parts are `values`. */
export function attributePrefix(values: readonly string[]): string {
  return values.length === 0 ? '' : tuplePrefix(values);
}

/** The prefix of `gsi2sk` where the next part begins with `text`, already encoded. */
export function attributeTextPrefix(values: readonly string[], text: string): string {
  return attributePrefix(values) + encodeSegment(text);
}

/**
 * The range of `gsi2sk` where the part after `values` is from `from` to `to`, both inclusive; an
 * absent bound is open.
 */
export function attributeRange(
  values: readonly string[],
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Partial<SortKeyRange> {
  const before = attributePrefix(values);
  const first = from === undefined ? before : before + encodeSegment(from);
  const last = to === undefined ? values : [...values, to];
  return {
    ...(first !== '' && { from: first }),
    // Above all keys that continue with a separator, below other continuations of the last segment.
    ...(last.length > 0 && { to: encodeTuple(last) + afterSeparator }),
  };
}

/** The texts of an entity for the full-text index, listed by the time of their last change. */
export function textRowKey(entity: EntityName): Key {
  return { pk: entityPartition(entity), sk: 'FULLTEXT' };
}

/** The row of an entity with values that searches leave out or a migration could not convert. */
export function leftOutKey(entity: EntityName): Key & Gsi2Key {
  return {
    pk: entityPartition(entity),
    sk: 'LEFTOUT',
    gsi2pk: leftOutPartition(entity.type),
    gsi2sk: sortKey('entity', [id('id', entity.id)]),
  };
}

/** The entities of a type with such rows (`leftOutKey`). */
export function leftOutPartition(type: string): string {
  return partitionKey('type', ['LEFTOUT', id('type', type)]);
}

/** The beginning of an entity's collection, before its relations: its own item, its texts and its search rows. */
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

/** The lower bound of `gsi2sk` of changes since `changedAt` (epoch milliseconds). */
export function textChangesFrom(changedAt: number): string {
  return instant('changedAt', changedAt);
}

/** The pending tasks of the catalog; see parseKey. */
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
