import { id } from '../segments/text.ts';
import { partitionKey, sortKey, collatedSortKey } from './key.ts';
import { tuplePrefix } from '../tuple.ts';
import type { Gsi1Key, Gsi2Key, Key } from './key.ts';

/** An entity of the catalogue, by its type and id. */
export interface EntityName {
  type: string;
  id: string;
}

export const entityTypePartition = 'TYPE';

export function entityTypeKey(type: string): Key {
  return { pk: entityTypePartition, sk: sortKey('type', ['TYPE', id('type', type)]) };
}

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
}

/** One row a search: what makes an entity found by its attributes. */
export function attributeRowKey({ entity, search }: AttributeRow): Key {
  return {
    pk: entityPartition(entity),
    sk: sortKey('search', ['A', id('type', entity.type), id('search', search)]),
  };
}

export function attributePartition(shard: number, type: string, search: string): string {
  return partitionKey('search', ['A', id('type', type), id('search', search), String(shard)]);
}

/** `value` holds the segments of the attributes that the search composes, each already in its encoding. */
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

/** The same for a search by one collated text, which is cut where it is too long. */
export function collatedAttributeIndexKey(
  shard: number,
  { entity, search }: AttributeRow,
  text: string,
): Gsi2Key {
  return {
    gsi2pk: attributePartition(shard, entity.type, search),
    gsi2sk: collatedSortKey(text, [id('id', entity.id)]),
  };
}

function entitySegments(entity: EntityName): string[] {
  return ['E', id('type', entity.type), id('id', entity.id)];
}

function relationSegments(entity: EntityName): string[] {
  return ['R', id('type', entity.type), id('id', entity.id)];
}
