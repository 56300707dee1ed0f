import { attributeRowKey, entityKey, entityListKey, parseKey, shardOf } from '@engawa/keys';
import { additionFields, additionsOf } from './additions.ts';
import { parseAttributes, storedAttributes } from './attribute-value.ts';
import { keyOf } from '../places/place.ts';
import type { EntityName, Gsi2Key } from '@engawa/keys';
import type { AdditionMarks } from './additions.ts';
import type { AttributeValue, JsonValue, ScalarValue, StoredSet } from './attribute-value.ts';
import type { Document, DocumentValue } from '../values/item-size.ts';

/** Maps instead of objects: an attribute may be called `constructor`. */
export interface Entity extends EntityName {
  attributes: ReadonlyMap<string, AttributeValue>;
  /** The related entity's id of each relation to one. Relations to many are rows only. */
  one: ReadonlyMap<string, string>;
  /** Values that could not be converted, by attribute; removed when the attribute gets another value. */
  unconverted?: ReadonlyMap<string, ScalarValue> | undefined;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
  /** Incremented by each change, for ETags. */
  version: number;
  /** The type's layout at the entity's last write. */
  layout: number;
  /** Id of the last write: a client whose response was lost recognizes its own write. */
  writeId: string;
  /**
   * Id of the write that created the entity: with the version it identifies the content, even after a deletion in
   * between.
   */
  creation?: string | undefined;
  /** The previous deletion of the id, where its tombstone still existed (docs/adr/0061). */
  incarnation?: string | undefined;
  /**
   * Number of all relations, including relations to one; undefined for entities written before relations were counted.
   */
  relationCount?: number | undefined;
  /** The committed staged write whose rows are not yet rolled forward (docs/adr/0020). */
  settles?: string | undefined;
  /** The staged write in preparation: no other write has changed the entity since. */
  staging?: string | undefined;
  /** The last addition of each process that recently added to its numbers; one item attribute per process. */
  additions?: AdditionMarks | undefined;
  /** Deleted or not yet created: the item is a tombstone (with `incarnation`), or a placeholder for a staged write. */
  gone?: boolean | undefined;
}

/** `shards` is the shard count of the list of its type; `ranking` the index key of the type's own ranking. */
export function entityItem(
  entity: Entity,
  { shards, ranking }: { shards: number; ranking?: Partial<Gsi2Key> | undefined },
): Document {
  const { type, id, version, layout, writeId, settles, staging, gone } = entity;
  const { creation, incarnation, relationCount } = entity;
  const marks = {
    ...(creation !== undefined && { creation }),
    ...(incarnation !== undefined && { incarnation }),
    ...(settles !== undefined && { settles }),
    ...(staging !== undefined && { staging }),
  };
  if (gone === true)
    return { ...entityKey({ type, id }), ...marks, gone, version, layout, writeId };
  return {
    ...entityKey({ type, id }),
    ...entityListKey(shardOf(id, shards), { type, id }),
    ...ranking,
    ...marks,
    // One map, which the index of entity lists projects (docs/adr/0005).
    data: {
      ...storedAttributes(entity.attributes),
      one: Object.fromEntries(entity.one),
      ...(entity.unconverted !== undefined &&
        entity.unconverted.size > 0 && {
          unconverted: Object.fromEntries(entity.unconverted),
        }),
      createdAt: entity.createdAt,
      updatedAt: entity.updatedAt,
    },
    version,
    layout,
    writeId,
    ...(relationCount !== undefined && { relationCount }),
    ...additionFields(entity.additions),
  };
}

/**
 * Complete for the table's item; without unprojected attributes for an item of the list index.
 * @throws TypeError when the item is not an entity
 */
export function parseEntity(item: Document): Entity {
  const key = parseKey(keyOf(item));
  if (key.item !== 'entity') throw new TypeError(`a ${key.item}, not an entity`);
  const data = (item['data'] ?? {}) as Partial<EntityData>;
  const { one, unconverted, createdAt, updatedAt } = data;
  return {
    type: key.type,
    id: key.id,
    attributes: parseAttributes(data),
    one: new Map(Object.entries(one ?? {})),
    ...(unconverted && { unconverted: new Map(Object.entries(unconverted)) }),
    createdAt: createdAt ?? 0,
    updatedAt: updatedAt ?? 0,
    version: Number(item['version']),
    layout: Number(item['layout'] ?? 0),
    writeId: textOf(item['writeId']) ?? '',
    creation: textOf(item['creation']),
    incarnation: textOf(item['incarnation']),
    ...(item['relationCount'] !== undefined && { relationCount: Number(item['relationCount']) }),
    settles: textOf(item['settles']),
    staging: textOf(item['staging']),
    gone: item['gone'] === true,
    additions: additionsOf(item),
  };
}

interface EntityData {
  attributes: Record<string, JsonValue>;
  sets: Record<string, StoredSet>;
  one: Record<string, string>;
  unconverted?: Record<string, ScalarValue>;
  createdAt: number;
  updatedAt: number;
}

/** A row by which a search or a ranking outside the entity's item finds the entity. */
export interface AttributeRowItem {
  entity: EntityName;
  search: string;
  index: Gsi2Key;
  /** Values of the search's parts: a relation as its id, a set as one member. */
  values: ReadonlyMap<string, ScalarValue>;
  /** Whether one of the parts is a set: then each member has a row. */
  ofSet?: boolean | undefined;
}

export function attributeRowItem(row: AttributeRowItem): Document {
  const { entity, search, index, values, ofSet } = row;
  return {
    ...attributeRowKey({ entity, search, ...(ofSet === true && { at: index.gsi2sk }) }),
    ...index,
    values: Object.fromEntries(values),
  };
}

/** @throws TypeError when the item is not a row of a search */
export function parseAttributeRow(item: Document): AttributeRowItem {
  const key = parseKey(keyOf(item));
  if (key.item !== 'attributeRow') throw new TypeError(`a ${key.item}, not a row of a search`);
  const { gsi2pk, gsi2sk, values } = item;
  return {
    entity: { type: key.type, id: key.id },
    search: key.search,
    index: { gsi2pk: gsi2pk as string, gsi2sk: gsi2sk as string },
    values: new Map(Object.entries(values as Record<string, ScalarValue>)),
  };
}

function textOf(value: DocumentValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
