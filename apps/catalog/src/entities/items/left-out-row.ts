import { leftOutKey, parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { isDeepStrictEqual } from 'node:util';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, ScalarValue } from '@engawa/model';
import type { Write } from '@engawa/table';

/**
 * The searches and values that an entity lacks. The row is written in the same transaction as the entity, so it is
 * always current; one Query counts those of a type.
 */
export interface LeftOutEntity {
  id: string;
  /** By search: why the entity has no row in it. */
  searches: ReadonlyMap<string, string>;
  /** By attribute: which part of its text is not in full-text search. */
  unindexed: ReadonlyMap<string, string>;
  /** By attribute: the value that could not be converted. */
  unconverted: ReadonlyMap<string, ScalarValue>;
}

/** The writes that bring the left-out row up to date. */
export function leftOutChanges(
  stored: Document | undefined,
  entity: EntityName & Pick<Entity, 'unconverted'>,
  { searches, unindexed }: Pick<LeftOutEntity, 'searches' | 'unindexed'>,
): Write[] {
  const { type, id, unconverted = new Map<string, ScalarValue>() } = entity;
  const isWhole = searches.size + unindexed.size + unconverted.size === 0;
  if (isWhole) return leftOutRemoval(stored, { type, id });
  const row: Document = {
    ...leftOutKey({ type, id }),
    searches: Object.fromEntries(searches),
    unconverted: Object.fromEntries(unconverted),
    ...(unindexed.size > 0 && { unindexed: Object.fromEntries(unindexed) }),
  };
  return isDeepStrictEqual(stored, row) ? [] : [{ put: row }];
}

export function leftOutRemoval(stored: Document | undefined, { type, id }: EntityName): Write[] {
  if (stored === undefined) return [];
  const { pk, sk } = leftOutKey({ type, id });
  return [{ delete: { pk, sk } }];
}

/** @throws TypeError when the item is not such a row */
export function parseLeftOut(item: Document): LeftOutEntity {
  const key = parseKey(keyOf(item));
  if (key.item !== 'leftOutRow') throw new TypeError(`a ${key.item}, not a left-out row`);
  const {
    searches,
    unconverted,
    unindexed = {},
  } = item as unknown as {
    searches: Record<string, string>;
    unindexed?: Record<string, string>;
    unconverted: Record<string, ScalarValue>;
  };
  return {
    id: key.id,
    searches: new Map(Object.entries(searches)),
    unindexed: new Map(Object.entries(unindexed)),
    unconverted: new Map(Object.entries(unconverted)),
  };
}
