import { attributeRowKey, relationKey } from '@engawa/keys';
import { keyOf, relationItem, relationsOf } from '@engawa/model';
import { isDeepStrictEqual } from 'node:util';
import { textChanges } from './text-rows.ts';
import { attributeRows, ownItem, relationTargets } from './wanted-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, EntityType, RelationRow } from '@engawa/model';
import type { Shards, Write } from '@engawa/table';
import type { Collection } from './collection.ts';
import type { Unsearchable } from './wanted-items.ts';

/** What an entity is to become. */
export interface Wanted {
  entity: Entity;
  /** The ids that each relation leads to; undefined: they stay as they are. */
  relations: ReadonlyMap<string, readonly string[]> | undefined;
}

/** One relation row that has to change. */
export interface RelationPlan {
  to: EntityName;
  /** As it is; undefined where there is none. */
  before: RelationRow | undefined;
  /** The relations that it is to stand for; none: it goes. */
  names: readonly string[];
  /** Whether nothing led there, so that it has to be looked whether there is something. */
  isNew: boolean;
}

/** All that has to be written for an entity to become what is wanted. */
export interface Plan {
  name: EntityName;
  /** Its own item; undefined: it goes. */
  own: Document | undefined;
  /** Rows of searches, rankings and texts; never more than there are of these in a type. */
  rows: Write[];
  relations: RelationPlan[];
}

/** From what there is to what is wanted. @throws KeyError naming what cannot be searched, unless that is told */
export function planChange(
  before: Collection,
  wanted: Wanted,
  { type, shards, unsearchable }: { type: EntityType; shards: Shards; unsearchable?: Unsearchable },
): Plan {
  const { entity } = wanted;
  const name = { type: entity.type, id: entity.id };
  return {
    name,
    own: ownItem(type, entity, shards, unsearchable),
    rows: [
      ...rowChanges(before, attributeRows(type, entity, shards, unsearchable), name),
      ...textChanges(before.text, entity, { type, shards }),
    ],
    relations:
      wanted.relations === undefined
        ? []
        : relationChanges(before, relationTargets(type, wanted.relations)),
  };
}

/** The rows of a relation that leads to `to`, as the plan wants it. */
export function relationWrite({ name }: Plan, relation: RelationPlan): Write {
  const { to, names } = relation;
  if (names.length === 0) {
    const { pk, sk } = relationKey(name, to);
    return { delete: { pk, sk } };
  }
  return { put: relationItem({ from: name, to, relations: names, at: sinceOf(relation) }) };
}

/** Since when something leads there; a row that stood for nothing yet has another's time. */
export function sinceOf({ before, isNew }: RelationPlan): number {
  return isNew || before === undefined ? Date.now() : before.at;
}

function rowChanges(before: Collection, rows: readonly Document[], entity: EntityName): Write[] {
  const wanted = new Map(rows.map((row) => [keyOf(row).sk, row]));
  const kept = new Set<Document>();
  const writes: Write[] = [];
  for (const [search, row] of before.attributeRows) {
    const key = attributeRowKey({ entity, search });
    const next = wanted.get(key.sk);
    if (next === undefined) writes.push({ delete: key });
    else if (isSameRow(row, next)) kept.add(next);
  }
  return [...writes, ...rows.filter((row) => !kept.has(row)).map((put) => ({ put }))];
}

/**
 * Wherever it is: a row that a family has more shards for by now stays in the one that it is in. What makes a family hot are
 * rows that change, and each of these goes to where it belongs now.
 */
function isSameRow(there: Document, wanted: Document): boolean {
  return isDeepStrictEqual({ ...there, gsi2pk: '' }, { ...wanted, gsi2pk: '' });
}

function relationChanges(
  { entity, relations = new Map<string, RelationRow>() }: Collection,
  targets: ReturnType<typeof relationTargets>,
): RelationPlan[] {
  const plans: RelationPlan[] = [];
  for (const [key, row] of relations) {
    const names = targets.get(key)?.names ?? [];
    const visible = relationsOf(row, entity?.settles);
    if (isSameSet(visible, names)) continue;
    plans.push({ to: row.to, before: row, names, isNew: visible.length === 0 });
  }
  for (const [key, { to, names }] of targets) {
    if (!relations.has(key)) plans.push({ to, before: undefined, names, isNew: true });
  }
  return plans;
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name) => right.includes(name));
}
