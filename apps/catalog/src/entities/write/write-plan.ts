import { decodeTuple, relationKey } from '@engawa/keys';
import { keyOf, linkAttributesOf, relationItem, relationsOf } from '@engawa/model';
import { isDeepStrictEqual } from 'node:util';
import { presentKeys } from '../../migrations/present-entity.ts';
import { expiryChanges } from '../items/expiry-row.ts';
import { throwFieldErrors } from '../../values/invalid-request.ts';
import { countIds, visibleRelations } from '../read/item-collection.ts';
import { leftOutChanges } from '../items/left-out-row.ts';
import { unindexedReasons } from '../items/unindexed-texts.ts';
import { changedLinks, missingAttributes } from '../relations/relation-attributes.ts';
import { textChanges } from '../items/text-rows.ts';
import { uniqueChanges } from '../items/unique-values.ts';
import { attributeRows, ownItem, relationTargets } from '../items/entity-items.ts';
import type { EntityName, KeyError } from '@engawa/keys';
import type { Document, Entity, EntityType, LinkAttributes, RelationRow } from '@engawa/model';
import type { Shards, Write } from '@engawa/table';
import type { ItemCollection } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';
import type { Incarnations } from '../relations/incarnations.ts';
import type { LinkChanges } from '../relations/relation-attributes.ts';
import type { UniqueChange } from '../items/unique-values.ts';
import type { OnUnsearchable } from '../items/entity-items.ts';

/** The state that an entity is to have after a write. */
export interface DesiredEntity {
  entity: Entity;
  /** The target ids of each relation; undefined: unchanged. */
  relations: ReadonlyMap<string, readonly string[]> | undefined;
  /** Changes of relation attributes; those of other kept relations are unchanged. */
  links?: LinkChanges | undefined;
}

/** A relation row that has to be written. */
export interface RelationPlan {
  to: EntityName;
  /** The stored row; undefined where there is none. */
  before: RelationRow | undefined;
  /** The relations of the new row; none: it is deleted. */
  names: readonly string[];
  /** Whether there was no relation to the target, so that the write has to check that the target exists. */
  isNew: boolean;
  /** Incarnation of `to`; for a new row, the presumed one. */
  incarnation?: string | undefined;
  attributes?: LinkAttributes | undefined;
}

/** All writes that bring an entity to its desired state. */
export interface WritePlan {
  name: EntityName;
  /** The entity after the write; undefined: it is deleted. */
  entity: Entity | undefined;
  /** Its own item; undefined: it is deleted. */
  own: Document | undefined;
  /** Writes of search, ranking and text rows: at most two for each of these in a type, and twice `maxSetRows`. */
  rows: Write[];
  relations: RelationPlan[];
  /** Claims and releases of unique values: at most `maxUnique` of each. */
  unique: UniqueChange[];
  /**
   * The plan from the current item, after concurrent in-place patches (scores) changed it; `relations` stay the same.
   * @throws Problem where the current entity does not meet the request's preconditions
   */
  replan?: (own: Document) => WritePlan;
}

export interface PlanOptions {
  type: EntityType;
  shards: Shards;
  unsearchable?: OnUnsearchable;
  /** The `targetKey`s of entities whose relation rows have to be rewritten (`staleTargets`). */
  stale?: ReadonlySet<string>;
  incarnations?: Pick<Incarnations, 'of'>;
}

/**
 * The writes from the stored items to the desired state.
 * @throws KeyError naming a new value that cannot be searched, unless `unsearchable` is given; or a unique value that
 * is too long
 */
export function planChange(
  before: ItemCollection,
  desired: DesiredEntity,
  options: PlanOptions,
): WritePlan {
  const { type, shards } = options;
  const { entity } = desired;
  const name = { type: entity.type, id: entity.id };
  const relations =
    desired.relations === undefined
      ? undefined
      : relationChanges(before, { ...desired, relations: desired.relations }, options);
  const relationCount =
    relations === undefined ? entity.relationCount : countAfter(before, desired, relations);
  const leftOut = new Map<string, string>();
  const unsearchable: OnUnsearchable = (error, search) => {
    options.unsearchable?.(error, search);
    if (options.unsearchable === undefined) refuseNew(error, before.entity, entity);
    leftOut.set(search, error.message);
  };
  return {
    name,
    entity,
    own: ownItem(type, { ...entity, relationCount }, shards, unsearchable),
    rows: [
      ...rowChanges(before, attributeRows(type, entity, shards, unsearchable)),
      ...textChanges(before.text, entity, { type, shards }),
      ...leftOutChanges(before.leftOut, entity, {
        searches: leftOut,
        unindexed: unindexedReasons(type, entity),
      }),
      ...expiryChanges(before.expiry, entity, { type, shards }),
    ],
    relations: relations ?? [],
    unique: uniqueChanges(type, before.entity, entity),
  };
}

/** The number of relations after the write; where not all were read, computed from the changes. */
function countAfter(
  before: ItemCollection,
  desired: DesiredEntity,
  plans: readonly RelationPlan[],
): number {
  if (before.isPartial !== true) return countIds(desired.relations ?? new Map());
  return plans.reduce(
    (count, { before: row, names }) =>
      count + names.length - (row ? relationsOf(row, before.entity?.settles).length : 0),
    before.entity?.relationCount ?? 0,
  );
}

/** An unchanged value that a new search cannot hold must not block other changes of the entity. */
function refuseNew(error: KeyError, before: Entity | undefined, entity: Entity): void {
  const valueOf = ({ attributes, one }: Entity) =>
    attributes.get(error.field.replace(/^attributes\./, '')) ??
    one.get(error.field.replace(/^relations\./, ''));
  const isSame = before !== undefined && isDeepStrictEqual(valueOf(before), valueOf(entity));
  if (!isSame || valueOf(entity) === undefined) throw error;
}

/** The write of a planned relation row. */
export function relationWrite({ name }: WritePlan, relation: RelationPlan): Write {
  const { to, names, incarnation, attributes } = relation;
  if (names.length === 0) {
    const { pk, sk } = relationKey(name, to);
    return { delete: { pk, sk } };
  }
  const at = sinceOf(relation);
  const row = { from: name, to, relations: names, at, incarnation, attributes };
  return { put: relationItem(row) };
}

/** When the relation was created; a row without relations has the time of an earlier one. */
export function sinceOf({ before, isNew }: RelationPlan): number {
  return isNew || before === undefined ? Date.now() : before.at;
}

function rowChanges(before: ItemCollection, rows: readonly Document[]): Write[] {
  const desired = new Map(rows.map((row) => [keyOf(row).sk, row]));
  const kept = new Set<Document>();
  const writes: Write[] = [];
  for (const [sk, row] of before.attributeRows) {
    const next = desired.get(sk);
    if (next === undefined) writes.push({ delete: keyOf(row) });
    else if (isSameRow(row, next)) kept.add(next);
  }
  return [...writes, ...rows.filter((row) => !kept.has(row)).map((put) => ({ put }))];
}

/** Compares rows regardless of shard: after the number of shards grew, a row moves only when it changes. */
function isSameRow(stored: Document, desired: Document): boolean {
  return isDeepStrictEqual(withoutShard(stored), withoutShard(desired));
}

/** A row with the period of its ranking and the other segments of its partition key before the shard. */
function withoutShard(row: Document): Document {
  return { ...row, gsi2pk: decodeTuple(row['gsi2pk'] as string).slice(0, -1) };
}

/** @throws Problem `invalid-request` where an attribute is missing that a new relation requires */
function relationChanges(
  before: ItemCollection,
  desired: { relations: Content['relations']; links?: LinkChanges | undefined },
  { type, stale, incarnations }: PlanOptions,
): RelationPlan[] {
  const { entity, relations = new Map<string, RelationRow>(), presentName } = before;
  const targets = relationTargets(type, desired.relations);
  const { links } = desired;
  const plans: RelationPlan[] = [];
  for (const [key, row] of relations) {
    const { to } = row;
    const names = targets.get(key)?.names ?? [];
    const visible = visibleRelations(before, row);
    const isStale = stale?.has(key) === true;
    const stored = linkAttributesOf(row, entity?.settles);
    const current = presentKeys(stored, presentName);
    // Attributes of a relation to an earlier incarnation do not apply to the current one.
    const attributes = changedLinks(isStale ? new Map() : current, { id: to.id, names, links });
    const isSame = isSameSet(visible, names) && isDeepStrictEqual(stored, attributes);
    if (isSame && !(isStale && names.length > 0)) continue;
    const isNew = visible.length === 0 || isStale;
    const incarnation = isNew ? incarnations?.of(to) : row.incarnation;
    plans.push({ to, before: row, names, isNew, incarnation, attributes });
  }
  for (const [key, { to, names }] of targets) {
    if (relations.has(key)) continue;
    const attributes = changedLinks(new Map(), { id: to.id, names, links });
    const incarnation = incarnations?.of(to);
    plans.push({ to, before: undefined, names, isNew: true, incarnation, attributes });
  }
  throwFieldErrors(plans.flatMap((plan) => missingFrom(plan, { type, links, presentName })));
  return plans;
}

/** Existing relations that the request does not change may lack attributes: they may be older than the requirement. */
function missingFrom(
  { to: { id }, before, names: all, isNew, attributes }: RelationPlan,
  {
    type,
    links,
    presentName = (name) => name,
  }: { type: EntityType; links: LinkChanges | undefined } & Pick<ItemCollection, 'presentName'>,
) {
  const old = new Set(isNew ? [] : before?.relations.map(presentName));
  const isOld = (name: string) => old.has(name);
  const names = all.filter((name) => !isOld(name) || links?.get(name)?.has(id) === true);
  return missingAttributes(type, { id, names, attributes: attributes ?? new Map() });
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name) => right.includes(name));
}
