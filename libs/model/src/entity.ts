import {
  attributeRowKey,
  entityKey,
  entityListKey,
  parseKey,
  relationKey,
  shardOf,
  textChangeKey,
  textRowKey,
} from '@engawa/keys';
import { keyOf } from './place.ts';
import type { EntityName, Gsi2Key } from '@engawa/keys';
import type { ExactNumber } from './decimal.ts';
import type { Document, DocumentValue } from './item-size.ts';

/** Text, a number to the digit, true or false; an instant is its ISO text in UTC with three decimals. */
export type AttributeValue = string | ExactNumber | boolean;

/** Maps, not objects: an attribute may be called `constructor`. */
export interface Entity extends EntityName {
  attributes: ReadonlyMap<string, AttributeValue>;
  /** The id that each relation to one leads to. Those to many are rows alone. */
  one: ReadonlyMap<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
  /** Raised by each change, for ETags. */
  version: number;
  /** That of its type under which it was written. */
  layout: number;
  /** Of the write that made it what it is: who sent it knows it again where the answer was lost. */
  writeId: string;
  /** The staged write whose rows count, until they are settled (docs/adr/0020). */
  settles?: string | undefined;
  /** The staged write that is being prepared: nobody else has changed the entity since. */
  staging?: string | undefined;
  /** It is deleted, or not made yet: its item only stands for a staged write. */
  gone?: boolean | undefined;
}

/** `shards` is how many the list of its type has; `ranking` the index key of the type's own ranking. */
export function entityItem(
  entity: Entity,
  { shards, ranking }: { shards: number; ranking?: Gsi2Key | undefined },
): Document {
  const { type, id, version, layout, writeId, settles, staging, gone } = entity;
  const marks = {
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
      attributes: Object.fromEntries(entity.attributes) as Record<string, DocumentValue>,
      one: Object.fromEntries(entity.one),
      createdAt: entity.createdAt,
      updatedAt: entity.updatedAt,
    },
    version,
    layout,
    writeId,
  };
}

/** Whole where the item is; from the index that lists entities without what is not projected. @throws TypeError */
export function parseEntity(item: Document): Entity {
  const key = parseKey(keyOf(item));
  if (key.item !== 'entity') throw new TypeError(`a ${key.item}, not an entity`);
  const { attributes, one, createdAt, updatedAt } = (item['data'] ?? {}) as Partial<EntityData>;
  return {
    type: key.type,
    id: key.id,
    attributes: new Map(Object.entries(attributes ?? {})),
    one: new Map(Object.entries(one ?? {})),
    createdAt: createdAt ?? 0,
    updatedAt: updatedAt ?? 0,
    version: Number(item['version']),
    layout: Number(item['layout'] ?? 0),
    writeId: textOf(item['writeId']) ?? '',
    settles: textOf(item['settles']),
    staging: textOf(item['staging']),
    gone: item['gone'] === true,
  };
}

interface EntityData {
  attributes: Record<string, AttributeValue>;
  one: Record<string, string>;
  createdAt: number;
  updatedAt: number;
}

/** What a staged write will make of a row. */
export interface Staged {
  write: string;
  /** None: the row goes. */
  relations: readonly string[];
}

/** That one entity relates to another: one row whatever number of relations lead there. */
export interface RelationRow {
  from: EntityName;
  to: EntityName;
  /** Names of relations of the type of `from`; none where the row is only staged. */
  relations: readonly string[];
  /** Since when one leads there (epoch milliseconds). */
  at: number;
  staged?: Staged | undefined;
}

export function relationItem({ from, to, relations, at, staged }: RelationRow): Document {
  const data = { relations: [...relations], at };
  return {
    ...relationKey(from, to),
    data:
      staged === undefined
        ? data
        : { ...data, staged: { write: staged.write, relations: [...staged.relations] } },
  };
}

/** @throws TypeError when the item is not a relation */
export function parseRelation(item: Document): RelationRow {
  const key = parseKey(keyOf(item));
  if (key.item !== 'relation') throw new TypeError(`a ${key.item}, not a relation`);
  const { relations, at, staged } = item['data'] as unknown as Omit<RelationRow, 'from' | 'to'>;
  const from = { type: key.type, id: key.id };
  const to = { type: key.otherType, id: key.otherId };
  return { from, to, relations, at, ...(staged && { staged }) };
}

/**
 * The relations that a row stands for, none where it stands for none (any more, or yet): what is staged counts from the
 * moment in which the entity that it leads from says so.
 */
export function relationsOf(
  { relations, staged }: RelationRow,
  settles: string | undefined,
): readonly string[] {
  return staged !== undefined && staged.write === settles ? staged.relations : relations;
}

/** What makes an entity found by a search, or ordered by a ranking that is not on its own item. */
export interface AttributeRowItem {
  entity: EntityName;
  search: string;
  index: Gsi2Key;
  /** What the search composes, as it is; relations by their id. */
  values: ReadonlyMap<string, AttributeValue>;
}

export function attributeRowItem({ entity, search, index, values }: AttributeRowItem): Document {
  return {
    ...attributeRowKey({ entity, search }),
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
    values: new Map(Object.entries(values as Record<string, AttributeValue>)),
  };
}

/** The texts of an entity, by attribute, for the full-text index; of one that is deleted, that it is. */
export interface TextRow {
  entity: EntityName;
  texts: ReadonlyMap<string, string> | undefined;
  /** Epoch milliseconds. */
  changedAt: number;
  /** Epoch seconds after which nobody needs to know any more that it was deleted. */
  ttl?: number | undefined;
}

export function textRowItem({ entity, texts, changedAt, ttl }: TextRow, shards: number): Document {
  return {
    ...textRowKey(entity),
    ...textChangeKey(shardOf(entity.id, shards), changedAt, entity),
    ...(texts !== undefined && { texts: Object.fromEntries(texts) }),
    changedAt,
    ...(ttl !== undefined && { ttl }),
  };
}

/** @throws TypeError when the item is not a row of texts */
export function parseTextRow(item: Document): TextRow {
  const key = parseKey(keyOf(item));
  if (key.item !== 'textRow') throw new TypeError(`a ${key.item}, not a row of texts`);
  const { texts, changedAt, ttl } = item;
  return {
    entity: { type: key.type, id: key.id },
    texts:
      texts === undefined ? undefined : new Map(Object.entries(texts as Record<string, string>)),
    changedAt: Number(changedAt),
    ...(ttl !== undefined && { ttl: Number(ttl) }),
  };
}

function textOf(value: DocumentValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
