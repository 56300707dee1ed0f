import { planExpiry } from '../delete/plan-deletion.ts';
import { isExpired } from '../items/expiry-time.ts';
import { presentEntity } from '../../migrations/present-entity.ts';
import { typeOf } from '../../types/known/with-current-type.ts';
import { emptyCollection, readCollection } from './item-collection.ts';
import { WriteConflict } from '../write/commit.ts';
import { rollForward } from '../staged/roll-forward.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { KnownTypes } from '../../types/known/known-types.ts';
import type { ItemCollection, RelationsRead } from './item-collection.ts';
import type { WritePlan } from '../write/write-plan.ts';

export interface ReadEntityOptions {
  relations: RelationsRead;
  /**
   * For an expired entity: `hide` returns an empty collection, `replace` deletes it first. Without it, returned as
   * stored.
   */
  expired?: 'hide' | 'replace' | undefined;
}

interface ReadEntityContext {
  table: Table;
  types: KnownTypes;
  shards: Shards;
  /** The wall clock (epoch milliseconds). */
  now: () => number;
  /** Writes the deletion of an expired entity. */
  write: (before: Entity, plan: WritePlan) => Promise<unknown>;
}

/**
 * Reads an entity; a committed staged write is rolled forward first. @throws WriteConflict where it
 * was changed or deleted concurrently
 */
export async function readEntity(
  { table, types, shards, now, write }: ReadEntityContext,
  name: EntityName,
  { relations, expired }: ReadEntityOptions,
): Promise<ItemCollection> {
  const collection = await readRolledForward({ table }, name, relations);
  const { entity } = collection;
  if (expired === undefined || entity === undefined || entity.gone === true) return collection;
  const type = await typeOf(types, name, entity);
  if (!isExpired(type, presentEntity(entity, type), now())) return collection;
  if (expired === 'hide') return emptyCollection;
  const { plan } = planExpiry(collection, entity, { type, shards, isRelated: true });
  await write(entity, plan);
  throw new WriteConflict();
}

/**
 * Reads an entity; a committed staged write is rolled forward first. @throws WriteConflict where
 * another staged write was committed meanwhile
 */
async function readRolledForward(
  { table }: { table: Table },
  name: EntityName,
  relations: RelationsRead,
): Promise<ItemCollection> {
  const read = () => readCollection({ table }, name, relations);
  const collection = await read();
  const { settles, gone } = collection.entity ?? {};
  if (settles === undefined || !(relations !== 'none' || gone === true)) return collection;
  await rollForward({ table }, name, settles);
  const settled = await read();
  // Another replica is rolling its rows forward, and would overwrite those of this writer.
  if (settled.entity?.settles !== undefined) throw new WriteConflict();
  return settled;
}
