import { LRUCache } from 'lru-cache';
import { entityKey } from '@engawa/keys';
import { parseEntity, relationsOf } from '@engawa/model';
import { absent, allOf, equal, present } from '@engawa/table';
import { relationTargets, targetKey } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { Condition, Table } from '@engawa/table';
import type { ItemCollection } from '../read/item-collection.ts';

/** Incarnations in the cache; an evicted one costs a second attempt of a write. */
const maxKnown = 10_000;

/**
 * Caches the incarnations of recreated entities that writes have met. Other entities are presumed to have none; a wrong
 * guess costs a second attempt, and never a wrong row.
 */
export class Incarnations {
  readonly #known = new LRUCache<string, string>({ max: maxKnown });

  of(name: EntityName): string | undefined {
    return this.#known.get(targetKey(name));
  }

  learn({ type, id, incarnation }: Entity): void {
    const key = targetKey({ type, id });
    if (incarnation === undefined) this.#known.delete(key);
    else this.#known.set(key, incarnation);
  }
}

/** The entity exists in this incarnation: it was not deleted since. */
export function hasIncarnation(incarnation: string | undefined): Condition {
  const same =
    incarnation === undefined ? absent('incarnation') : equal('incarnation', incarnation);
  return allOf(present('pk'), absent('gone'), same);
}

/**
 * The targets of these relations that existing rows have in an earlier incarnation: they were deleted since, so the
 * background task of the deletion will remove the rows. One BatchGetItem for each 100 kept rows.
 * @returns their `targetKey`s
 */
export async function staleTargets(
  { table, incarnations }: { table: Table; incarnations: Incarnations },
  before: ItemCollection,
  { type, relations }: { type: EntityType; relations: ReadonlyMap<string, readonly string[]> },
): Promise<Set<string>> {
  const rows = new Map(
    [...relationTargets(type, relations).keys()].flatMap((key) => {
      const row = before.relations?.get(key);
      const isKept = row !== undefined && relationsOf(row, before.entity?.settles).length > 0;
      return isKept ? [[key, row] as const] : [];
    }),
  );
  if (rows.size === 0) return new Set();
  const keys = [...rows.values()].map(({ to }) => entityKey(to));
  const { items } = await table.getAll(keys, { consistent: true });
  const targets = new Map(
    items.map(parseEntity).map((entity) => [targetKey(entity), entity] as const),
  );
  return new Set(
    [...rows].flatMap(([key, row]) => {
      const entity = targets.get(key);
      if (entity === undefined || entity.gone === true) return [key];
      if (entity.incarnation === row.incarnation) return [];
      incarnations.learn(entity);
      return [key];
    }),
  );
}
