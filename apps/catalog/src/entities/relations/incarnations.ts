import { entityKey } from '@engawa/keys';
import { parseEntity, relationsOf } from '@engawa/model';
import { absent, allOf, equal, present } from '@engawa/table';
import { relationTargets, targetKey } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { Condition, Table } from '@engawa/table';
import type { Collection } from '../read/item-collection.ts';

/** The most that are remembered; of more, those that were learned first are read again. */
const maxKnown = 10_000;

/**
 * The incarnations of entities that were created again soon after their deletion, as writes have met them. Of all others,
 * none is the right guess; a wrong one costs a second attempt, and never a wrong row.
 */
export class Incarnations {
  readonly #known = new Map<string, string>();

  of(name: EntityName): string | undefined {
    return this.#known.get(targetKey(name));
  }

  learn({ type, id, incarnation }: Entity): void {
    const key = targetKey({ type, id });
    this.#known.delete(key);
    if (incarnation === undefined) return;
    this.#known.set(key, incarnation);
    const [first] = this.#known.keys();
    if (this.#known.size > maxKnown && first !== undefined) this.#known.delete(first);
  }
}

/** The entity is there, and was not deleted since a row that leads to it was made with this incarnation. */
export function isIncarnation(incarnation: string | undefined): Condition {
  const same =
    incarnation === undefined ? absent('incarnation') : equal('incarnation', incarnation);
  return allOf(present('pk'), absent('gone'), same);
}

/**
 * Of the entities that these relations lead to, those that rows lead to already, but in another incarnation: they were
 * deleted since, so the rows will be taken away. One BatchGetItem for each 100 rows that stay.
 * @returns their `targetKey`s
 */
export async function staleTargets(
  { table, incarnations }: { table: Table; incarnations: Incarnations },
  before: Collection,
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
  const there = new Map(
    items.map(parseEntity).map((entity) => [targetKey(entity), entity] as const),
  );
  return new Set(
    [...rows].flatMap(([key, row]) => {
      const entity = there.get(key);
      if (entity === undefined || entity.gone === true) return [key];
      if (entity.incarnation === row.incarnation) return [];
      incarnations.learn(entity);
      return [key];
    }),
  );
}
