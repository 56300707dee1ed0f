import { leftOutKey, parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { isDeepStrictEqual } from 'node:util';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, ScalarValue } from '@engawa/model';
import type { Write } from '@engawa/table';

/**
 * What is not found of an entity. Its row is written with the entity, so that what it says is true for as long as it is there,
 * and those of a type are counted by one Query.
 */
export interface LeftOut {
  id: string;
  /** By search: why the entity is not in it. */
  searches: ReadonlyMap<string, string>;
  /** By attribute: the value that could not be converted. */
  unconverted: ReadonlyMap<string, ScalarValue>;
}

/** What has to be written for the row to say what is not found of it now. */
export function leftOutChanges(
  there: Document | undefined,
  entity: EntityName & Pick<Entity, 'unconverted'>,
  searches: ReadonlyMap<string, string>,
): Write[] {
  const { type, id, unconverted = new Map<string, ScalarValue>() } = entity;
  if (searches.size === 0 && unconverted.size === 0) return leftOutGone(there, { type, id });
  const row: Document = {
    ...leftOutKey({ type, id }),
    searches: Object.fromEntries(searches),
    unconverted: Object.fromEntries(unconverted),
  };
  return isDeepStrictEqual(there, row) ? [] : [{ put: row }];
}

export function leftOutGone(there: Document | undefined, { type, id }: EntityName): Write[] {
  if (there === undefined) return [];
  const { pk, sk } = leftOutKey({ type, id });
  return [{ delete: { pk, sk } }];
}

/** @throws TypeError when the item is not such a row */
export function parseLeftOut(item: Document): LeftOut {
  const key = parseKey(keyOf(item));
  if (key.item !== 'leftOutRow') throw new TypeError(`a ${key.item}, not what is left out`);
  const { searches, unconverted } = item as unknown as {
    searches: Record<string, string>;
    unconverted: Record<string, ScalarValue>;
  };
  return {
    id: key.id,
    searches: new Map(Object.entries(searches)),
    unconverted: new Map(Object.entries(unconverted)),
  };
}
