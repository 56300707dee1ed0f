import { relationsOf } from '@engawa/model';
import { relationTargets } from '../items/entity-items.ts';
import type { EntityType } from '@engawa/model';
import type { ItemCollection } from '../read/item-collection.ts';

/**
 * The entity without its relations to earlier incarnations of targets (`stale`), except relations that the change
 * names. One row has all relations to a target: rewriting it for one relation would otherwise carry the stale ones over
 * to the new incarnation, and the background task of the deletion would not remove them.
 */
export function withoutStaleRelations(
  before: ItemCollection,
  {
    type,
    stale,
    named,
  }: {
    type: EntityType;
    /** The `targetKey`s of recreated targets. */
    stale: ReadonlySet<string>;
    /** The target ids of relations in the request. */
    named: ReadonlyMap<string, readonly string[]>;
  },
): ItemCollection {
  const { entity, presentName = (name: string) => name } = before;
  if (stale.size === 0 || entity === undefined) return before;
  const requested = relationTargets(type, named);
  const one = new Map(entity.one);
  const former = new Map<string, ReadonlySet<string>>();
  for (const key of stale) {
    const row = before.relations?.get(key);
    const kept = requested.get(key)?.names ?? [];
    const visible = row === undefined ? [] : relationsOf(row, entity.settles);
    const hidden = visible.filter((name) => !kept.includes(presentName(name) ?? ''));
    for (const name of hidden) one.delete(presentName(name) ?? '');
    former.set(key, new Set(hidden));
  }
  return { ...before, entity: { ...entity, one }, former };
}
