import { relationsOf } from '@engawa/model';
import { relationTargets } from './wanted-items.ts';
import type { EntityType, RelationRow } from '@engawa/model';
import type { Collection } from './collection.ts';

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
  const relations = new Map<string, RelationRow>(before.relations);
  const one = new Map(entity.one);
  let count = 0;
  for (const key of stale) {
    const row = relations.get(key);
    if (row === undefined) continue;
    const names = said.get(key)?.names ?? [];
    const visible = relationsOf(row, entity.settles);
    const kept = visible.filter((name) => names.includes(presentName(name) ?? ''));
    for (const name of visible.filter((each) => !kept.includes(each))) {
      count += 1;
      one.delete(presentName(name) ?? '');
    }
    relations.set(key, { ...row, relations: kept, staged: undefined });
  }
  if (count === 0) return before;
  const { relationCount } = entity;
  const counted = relationCount === undefined ? undefined : relationCount - count;
  return { ...before, entity: { ...entity, one, relationCount: counted }, relations };
}
