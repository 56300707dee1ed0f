import { attributeRowKey, entityKey, entityListKey, parseKey, shardOf } from '@engawa/keys';
import { additionFields, additionsOf } from './additions.ts';
import { parseAttributes, storedAttributes } from './attribute-value.ts';
import { keyOf } from './place.ts';
import type { EntityName, Gsi2Key } from '@engawa/keys';
import type { AdditionMarks } from './additions.ts';
import type { AttributeValue, JsonValue, ScalarValue, StoredSet } from './attribute-value.ts';
import type { Document, DocumentValue } from './item-size.ts';

/** Maps, not objects: an attribute may be called `constructor`. */
export interface Entity extends EntityName {
  attributes: ReadonlyMap<string, AttributeValue>;
  /** The id that each relation to one leads to. Those to many are rows alone. */
  one: ReadonlyMap<string, string>;
  /** By attribute: a value that could not be converted, until the attribute gets another one. */
  unconverted?: ReadonlyMap<string, ScalarValue> | undefined;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
  /** Raised by each change, for ETags. */
  version: number;
  /** That of its type under which it was written. */
  layout: number;
  /** Of the write that made it what it is: who sent it knows it again where the answer was lost. */
  writeId: string;
  /** The write that created it: with the version it names what it says, also where it was deleted in between. */
  creation?: string | undefined;
  /** The deletion that came before it, where its tombstone was still there (docs/adr/0061). */
  incarnation?: string | undefined;
  /** Of all its relations, those to one among them; undefined where it was written before this was counted. */
  relationCount?: number | undefined;
  /** The staged write whose rows count, until they are settled (docs/adr/0020). */
  settles?: string | undefined;
  /** The staged write that is being prepared: nobody else has changed the entity since. */
  staging?: string | undefined;
  /** Of each process that has added to its numbers lately, its last addition; each in an attribute of the item. */
  additions?: AdditionMarks | undefined;
  /**
   * It is deleted, or not made yet: its item is a tombstone (with `incarnation`), or only stands
   * for a staged write.
   */
  gone?: boolean | undefined;
}

/** `shards` is how many the list of its type has; `ranking` the index key of the type's own ranking. */
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
    // In one map, which is what the index that lists entities holds of it (docs/adr/0005).
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

/** Whole where the item is; from the index that lists entities without what is not projected. @throws TypeError */
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

/** What makes an entity found by a search, or ordered by a ranking that is not on its own item. */
export interface AttributeRowItem {
  entity: EntityName;
  search: string;
  index: Gsi2Key;
  /** What the search composes, as it is: relations by their id, of a set one member. */
  values: ReadonlyMap<string, ScalarValue>;
  /** Whether one of the parts is a set: then there is a row for each member. */
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
