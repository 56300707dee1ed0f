import { Problem } from '@engawa/errors';
import { catalogTaskKey } from '@engawa/keys';
import { entityItem, keyOf, parseEntity } from '@engawa/model';
import { newClaim } from '@engawa/table';
import { ulid } from 'ulid';
import { expiryGone } from '../items/expiry-row.ts';
import { presentCollection } from '../../migrations/present-entity.ts';
import { checkLayout, typeOf } from '../../types/known/by-current-type.ts';
import { refuseUnmet } from '../content/conditions.ts';
import { presentEntity } from '../read/expected-entity.ts';
import { leftOutGone } from '../items/left-out-row.ts';
import { relationsTo } from '../relations/incoming-relations.ts';
import { textsGone } from '../items/text-rows.ts';
import { uniqueChanges } from '../items/unique-values.ts';
import { targetKey } from '../items/entity-items.ts';
import type { Revision } from '@engawa/http';
import type { EntityName, Key } from '@engawa/keys';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Claim, PageKey, Shards, Table, Write } from '@engawa/table';
import type { KnownTypes, TypesMemory } from '../../types/known/known-types.ts';
import type { Collection } from '../read/item-collection.ts';
import type { AttributeCondition } from '../content/conditions.ts';
import type { EntityStore } from '../write/entity-store.ts';
import type { Plan } from '../write/write-plan.ts';
import type { Relating } from '../relations/incoming-relations.ts';

export const deletionKind = 'DELETION';

/** Entities that are named where something relates to what is to be deleted. */
const mostNamed = 20;
export interface DeleteEntityOptions {
  table: Table;
  shards: Shards;
  types: KnownTypes & TypesMemory;
  entities: EntityStore;
  /** Names this replica, which does what is left to do; where it is not said, any does. */
  by?: string;
}

export interface Deletion {
  name: EntityName;
  revision: Revision | undefined;
  /** Also where others relate to it: these relations are taken away behind it. */
  detach: boolean;
  /** What must hold of the entity in the moment of its end. */
  conditions: readonly AttributeCondition[];
  /** That of the type by which the conditions were checked. */
  layout?: number | undefined;
}

/** That relations of others may still lead to what was deleted. */
export interface Note {
  key: Key;
  /** Names this deletion; also in the tombstone. */
  deletion: string;
  /** When it was deleted (epoch milliseconds). */
  at: number;
  claim?: Claim | undefined;
}

/**
 * Deletes an entity with its relations and rows, all at once: a Query a page of it, one of what relates to it, one write.
 * @returns what is left to do, where any type relates to its own
 * @throws Problem `entity-not-found`, `version-mismatch`, `condition-failed`, `still-related`
 */
export async function deleteEntity(
  options: DeleteEntityOptions,
  deletion: Deletion,
): Promise<Note | undefined> {
  const { types, entities } = options;
  const { name, detach, layout } = deletion;
  await types.get(name.type);
  const mayBeRelated = await isRelatedTo(types, name.type);
  return entities.untilNotOvertaken(name, async () => {
    const before = await entities.read(name, { relations: 'all', expired: 'hide' });
    const type = await typeOf(types, name, before.entity);
    checkLayout(type, layout);
    const entity = expectedEntity(before, type, deletion);
    if (mayBeRelated && !detach) await refuseWhatIsRelated(options, entity);
    const at = Math.max(Date.now(), entity.updatedAt + 1);
    const note = mayBeRelated ? noteOf(name, at, options.by) : undefined;
    const plan = planDeletion(before, entity, { type, at, note, shards: options.shards });
    const renew = (own: Document): Plan => {
      expectedEntity({ ...before, entity: parseEntity(own) }, type, deletion);
      return plan;
    };
    await entities.write(before.entity, { ...plan, renew });
    return note;
  });
}

/** The entity as it is stored, where it is what the deletion expects. */
function expectedEntity(
  before: Collection,
  type: EntityType,
  { name, revision, conditions }: Deletion,
): Entity {
  const entity = presentEntity(before, name, revision);
  refuseUnmet(conditions, presentCollection(before, type).entity ?? entity);
  return entity;
}

/** Whether any type relates to it. Where none is known, it is looked once more: one may have been declared elsewhere. */
export async function isRelatedTo(
  types: DeleteEntityOptions['types'],
  type: string,
): Promise<boolean> {
  const isRelated = async () =>
    (await types.all()).some(({ relations }) => relations.some(({ to }) => to === type));
  if (await isRelated()) return true;
  await types.changed();
  return isRelated();
}

export function noteOf({ type, id }: EntityName, at: number, by: string | undefined): Note {
  const deletion = ulid();
  const claim = by === undefined ? undefined : newClaim(by, Date.now());
  return { key: catalogTaskKey(deletionKind, type, id, deletion), deletion, at, claim };
}

export function noteItem({ key, at, claim }: Note): Document {
  return { ...key, at, ...(claim && { claim }) };
}

/** The tombstone says which relations are not meant for what may be created under that id: those without its incarnation. */
function tombstoneOf(entity: Entity, { deletion }: Note): Document {
  const marks = { staging: undefined, settles: undefined, creation: undefined };
  return entityItem(
    { ...entity, ...marks, gone: true, incarnation: deletion, writeId: ulid() },
    { shards: 1 },
  );
}

export function planDeletion(
  { attributeRows, relations, text, leftOut, expiry }: Collection,
  entity: Entity,
  {
    type,
    at,
    note,
    shards,
  }: { type: EntityType; at: number; note: Note | undefined; shards: Shards },
): Plan {
  const name = { type: entity.type, id: entity.id };
  const rows: Write[] = [...attributeRows.values()].map((row) => ({ delete: keyOf(row) }));
  rows.push(...textsGone(text, name, at, shards), ...leftOutGone(leftOut, name));
  rows.push(...expiryGone(expiry));
  if (note !== undefined) rows.push({ put: noteItem(note) });
  return {
    name,
    own: note && tombstoneOf(entity, note),
    rows,
    relations: [...(relations?.values() ?? [])].map((before) => {
      return { to: before.to, before, names: [], isNew: false, incarnation: undefined };
    }),
    unique: uniqueChanges(type, entity, undefined),
  };
}

/** @param isIgnored those that go with it. @throws Problem `still-related` */
export async function refuseWhatIsRelated(
  { table }: Pick<DeleteEntityOptions, 'table'>,
  entity: Entity,
  isIgnored: (from: EntityName) => boolean = () => false,
): Promise<void> {
  const name = { type: entity.type, id: entity.id };
  // What it relates to itself goes with it, and what led to one before it is being taken away.
  const isOther = ({ from, incarnation }: Relating) =>
    targetKey(from) !== targetKey(name) && incarnation === entity.incarnation && !isIgnored(from);
  const others: Relating[] = [];
  let after: PageKey | undefined;
  do {
    const page = await relationsTo({ table }, name, { after, limit: mostNamed + 1 });
    others.push(...page.relating.filter(isOther));
    after = page.next;
  } while (after !== undefined && others.length <= mostNamed);
  if (others.length === 0) return;
  const more = others.length > mostNamed ? ` ${mostNamed} and more` : ` ${others.length}`;
  const faults = others.slice(0, mostNamed).map(({ from, names }) => ({
    path: `${from.type}/${from.id}`,
    message: `relates to it as ${names.join(', ')}`,
  }));
  const detail = `${name.type} "${name.id}" has relations of${more} to it, which its end would leave leading nowhere.`;
  throw new Problem('still-related', detail, { faults });
}
