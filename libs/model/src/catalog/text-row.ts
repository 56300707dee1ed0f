import { parseKey, shardOf, textChangeKey, textRowKey } from '@engawa/keys';
import { keyOf } from '../places/place.ts';
import type { EntityName } from '@engawa/keys';
import type { ScalarValue } from './attribute-value.ts';
import type { Document } from '../values/item-size.ts';

/** The compared form of a value; of a set, that of each member, in order. */
export type FilterValue = ScalarValue | ScalarValue[];

/** The texts of an entity, by attribute, for the full-text index; for a deleted entity, the mark of its deletion. */
export interface TextRow {
  entity: EntityName;
  texts: ReadonlyMap<string, string> | undefined;
  /** Values of filters, sort keys and facets in comparable form; absent where the type has no filters. */
  values?: ReadonlyMap<string, FilterValue> | undefined;
  /** Epoch milliseconds. */
  changedAt: number;
  /** Epoch seconds after which the mark of a deletion is no longer needed. */
  ttl?: number | undefined;
}

export function textRowItem(row: TextRow, shards: number): Document {
  const { entity, texts, values, changedAt, ttl } = row;
  return {
    ...textRowKey(entity),
    ...textChangeKey(shardOf(entity.id, shards), changedAt, entity),
    ...(texts !== undefined && { texts: Object.fromEntries(texts) }),
    ...(values !== undefined && { values: Object.fromEntries(values) }),
    changedAt,
    ...(ttl !== undefined && { ttl }),
  };
}

/** @throws TypeError when the item is not a row of texts */
export function parseTextRow(item: Document): TextRow {
  const key = parseKey(keyOf(item));
  if (key.item !== 'textRow') throw new TypeError(`a ${key.item}, not a row of texts`);
  const { texts, values, changedAt, ttl } = item;
  return {
    entity: { type: key.type, id: key.id },
    texts:
      texts === undefined ? undefined : new Map(Object.entries(texts as Record<string, string>)),
    ...(values !== undefined && {
      values: new Map(Object.entries(values as Record<string, FilterValue>)),
    }),
    changedAt: Number(changedAt),
    ...(ttl !== undefined && { ttl: Number(ttl) }),
  };
}
