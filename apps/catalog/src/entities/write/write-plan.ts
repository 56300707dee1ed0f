import { relationKey } from '@engawa/keys';
import { keyOf, linkAttributesOf, relationItem, relationsOf } from '@engawa/model';
import { isDeepStrictEqual } from 'node:util';
import { presentKeys } from '../../migrations/present-entity.ts';
import { expiryChanges } from '../items/expiry-row.ts';
import { throwFieldErrors } from '../../values/invalid-request.ts';
import { countOf, visibleRelations } from '../read/item-collection.ts';
import { leftOutChanges } from '../items/left-out-row.ts';
import { changedLinks, missingAttributes } from '../relations/relation-attributes.ts';
import { textChanges } from '../items/text-rows.ts';
import { uniqueChanges } from '../items/unique-values.ts';
import { attributeRows, ownItem, relationTargets } from '../items/entity-items.ts';
import type { EntityName, KeyError } from '@engawa/keys';
import type { Document, Entity, EntityType, LinkAttributes, RelationRow } from '@engawa/model';
import type { Shards, Write } from '@engawa/table';
import type { Collection } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';
import type { Incarnations } from '../relations/incarnations.ts';
import type { LinkChanges } from '../relations/relation-attributes.ts';
import type { UniqueChange } from '../items/unique-values.ts';
import type { Unsearchable } from '../items/entity-items.ts';

/** What an entity is to become. */
export interface Wanted {
  entity: Entity;
  /** The ids that each relation leads to; undefined: they stay as they are. */
  relations: ReadonlyMap<string, readonly string[]> | undefined;
  /** What is said of their attributes; those of relations that stay are as they were otherwise. */
  links?: LinkChanges | undefined;
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
  /** Of `to`: where the row is new, what is presumed of it. */
  incarnation?: string | undefined;
  /** Of these relations. */
  attributes?: LinkAttributes | undefined;
}

/** All that has to be written for an entity to become what is wanted. */
export interface Plan {
  name: EntityName;
  /** Its own item; undefined: it goes. */
  own: Document | undefined;
  /** Rows of searches, rankings and texts: two for each of these in a type at most, and twice `maxSetRows`. */
  rows: Write[];
  relations: RelationPlan[];
  /** Of unique attributes: `maxUnique` claims and as many releases at most. */
  unique: UniqueChange[];
  /**
   * The same from the entity's own item as it is by now, where scores alone have changed it since; `relations` stay as they
   * are. @throws Problem where that is not what the client has meant
   */
  renew?: (own: Document) => Plan;
}

export interface PlanOptions {
  type: EntityType;
  shards: Shards;
  unsearchable?: Unsearchable;
  /** The `targetKey`s of the entities whose rows have to be made again (`staleTargets`). */
  stale?: ReadonlySet<string>;
  incarnations?: Pick<Incarnations, 'of'>;
}

/**
 * From what there is to what is wanted.
 * @throws KeyError naming what cannot be searched, unless that is told, or it is no other than before; or what is too long to
 * be unique
 */
export function planChange(before: Collection, wanted: Wanted, options: PlanOptions): Plan {
  const { type, shards } = options;
  const { entity } = wanted;
  const name = { type: entity.type, id: entity.id };
  const relations =
    wanted.relations === undefined
      ? undefined
      : relationChanges(before, { ...wanted, relations: wanted.relations }, options);
  const relationCount =
    relations === undefined ? entity.relationCount : countAfter(before, wanted, relations);
  const leftOut = new Map<string, string>();
  const unsearchable: Unsearchable = (error, search) => {
    options.unsearchable?.(error, search);
    if (options.unsearchable === undefined) refuseNew(error, before.entity, entity);
    leftOut.set(search, error.message);
  };
  return {
    name,
    own: ownItem(type, { ...entity, relationCount }, shards, unsearchable),
    rows: [
      ...rowChanges(before, attributeRows(type, entity, shards, unsearchable)),
      ...textChanges(before.text, entity, { type, shards }),
      ...leftOutChanges(before.leftOut, entity, leftOut),
      ...expiryChanges(before.expiry, entity, { type, shards }),
    ],
    relations: relations ?? [],
    unique: uniqueChanges(type, before.entity, entity),
  };
}

/** How many relations the entity has then: where not all were read, by what is changed. */
function countAfter(before: Collection, wanted: Wanted, plans: readonly RelationPlan[]): number {
  if (before.isPart !== true) return countOf(wanted.relations ?? new Map());
  return plans.reduce(
    (count, { before: row, names }) =>
      count + names.length - (row ? relationsOf(row, before.entity?.settles).length : 0),
    before.entity?.relationCount ?? 0,
  );
}

/** A search may have been added to what cannot be in it: that must not keep all else from being changed. */
function refuseNew(error: KeyError, before: Entity | undefined, entity: Entity): void {
  const valueOf = ({ attributes, one }: Entity) =>
    attributes.get(error.field.replace(/^attributes\./, '')) ??
    one.get(error.field.replace(/^relations\./, ''));
  const isSame = before !== undefined && isDeepStrictEqual(valueOf(before), valueOf(entity));
  if (!isSame || valueOf(entity) === undefined) throw error;
}

/** The rows of a relation that leads to `to`, as the plan wants it. */
export function relationWrite({ name }: Plan, relation: RelationPlan): Write {
  const { to, names, incarnation, attributes } = relation;
  if (names.length === 0) {
    const { pk, sk } = relationKey(name, to);
    return { delete: { pk, sk } };
  }
  const at = sinceOf(relation);
  const row = { from: name, to, relations: names, at, incarnation, attributes };
  return { put: relationItem(row) };
}

/** Since when something leads there; a row that stood for nothing yet has another's time. */
export function sinceOf({ before, isNew }: RelationPlan): number {
  return isNew || before === undefined ? Date.now() : before.at;
}

function rowChanges(before: Collection, rows: readonly Document[]): Write[] {
  const wanted = new Map(rows.map((row) => [keyOf(row).sk, row]));
  const kept = new Set<Document>();
  const writes: Write[] = [];
  for (const [sk, row] of before.attributeRows) {
    const next = wanted.get(sk);
    if (next === undefined) writes.push({ delete: keyOf(row) });
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

/** @throws Problem `invalid-request` where an attribute is missing that a new relation requires */
function relationChanges(
  before: Collection,
  wanted: { relations: Content['relations']; links?: LinkChanges | undefined },
  { type, stale, incarnations }: PlanOptions,
): RelationPlan[] {
  const { entity, relations = new Map<string, RelationRow>(), presentName } = before;
  const targets = relationTargets(type, wanted.relations);
  const { links } = wanted;
  const plans: RelationPlan[] = [];
  for (const [key, row] of relations) {
    const { to } = row;
    const names = targets.get(key)?.names ?? [];
    const visible = visibleRelations(before, row);
    const isStale = stale?.has(key) === true;
    const stored = linkAttributesOf(row, entity?.settles);
    const current = presentKeys(stored, presentName);
    // What an entity of before was to it says nothing of the one that is there now.
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

/** Of relations that were there and of which nothing is said, none is missing: they may be older than what is required. */
function missingFrom(
  { to: { id }, before, names: all, isNew, attributes }: RelationPlan,
  {
    type,
    links,
    presentName = (name) => name,
  }: { type: EntityType; links: LinkChanges | undefined } & Pick<Collection, 'presentName'>,
) {
  const old = new Set(isNew ? [] : before?.relations.map(presentName));
  const isOld = (name: string) => old.has(name);
  const names = all.filter((name) => !isOld(name) || links?.get(name)?.has(id) === true);
  return missingAttributes(type, { id, names, attributes: attributes ?? new Map() });
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name) => right.includes(name));
}
