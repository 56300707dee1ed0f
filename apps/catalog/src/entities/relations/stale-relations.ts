import { relationsOf } from '@engawa/model';
import { relationTargets } from '../items/entity-items.ts';
import type { EntityType } from '@engawa/model';
import type { Collection } from '../read/item-collection.ts';

/**
 * The entity without its relations to former entities: to those that were deleted and created again since (`stale`), except by
 * the relations that a change says to lead there. One row stands for all relations to an entity, so a change of one of them
 * would make all the others lead to the new one, too, and the deletion would not take these away any more.
 */
export function withoutFormer(
  before: Collection,
  {
    type,
    stale,
    named,
  }: {
    type: EntityType;
    /** The `targetKey`s of these. */
    stale: ReadonlySet<string>;
    /** The ids that relations are said to lead to. */
    named: ReadonlyMap<string, readonly string[]>;
  },
): Collection {
  const { entity, presentName = (name: string) => name } = before;
  if (stale.size === 0 || entity === undefined) return before;
  const said = relationTargets(type, named);
  const one = new Map(entity.one);
  const former = new Map<string, ReadonlySet<string>>();
  for (const key of stale) {
    const row = before.relations?.get(key);
    const kept = said.get(key)?.names ?? [];
    const visible = row === undefined ? [] : relationsOf(row, entity.settles);
    const hidden = visible.filter((name) => !kept.includes(presentName(name) ?? ''));
    for (const name of hidden) one.delete(presentName(name) ?? '');
    former.set(key, new Set(hidden));
  }
  return { ...before, entity: { ...entity, one }, former };
}
