import { planExpiry } from '../delete/plan-deletion.ts';
import { isExpired } from '../items/expiry-time.ts';
import { presentEntity } from '../../migrations/present-entity.ts';
import { typeOf } from '../../types/known/by-current-type.ts';
import { nothing } from './item-collection.ts';
import { Overtaken } from '../write/commit.ts';
import { readSettled } from './read-rolled-forward.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { KnownTypes } from '../../types/known/known-types.ts';
import type { Collection, RelationsRead } from './item-collection.ts';
import type { Plan } from '../write/write-plan.ts';

export interface ReadEntityOptions {
  relations: RelationsRead;
  /** Of one whose instant has come: as if it were not there, or, with its relations, deleted first. Without, as it is. */
  expired?: 'hide' | 'replace' | undefined;
}

interface ReadEntityMeans {
  table: Table;
  types: KnownTypes;
  shards: Shards;
  /** The wall clock (epoch milliseconds). */
  now: () => number;
  /** Deletes what has expired. */
  write: (before: Entity, plan: Plan) => Promise<void>;
}

/** Once what an earlier write has staged is settled. @throws Overtaken where another was decided, or it was deleted, meanwhile */
export async function readEntity(
  { table, types, shards, now, write }: ReadEntityMeans,
  name: EntityName,
  { relations, expired }: ReadEntityOptions,
): Promise<Collection> {
  const collection = await readSettled({ table }, name, relations);
  const { entity } = collection;
  if (expired === undefined || entity === undefined || entity.gone === true) return collection;
  const type = await typeOf(types, name, entity);
  if (!isExpired(type, presentEntity(entity, type), now())) return collection;
  if (expired === 'hide') return nothing;
  const { plan } = planExpiry(collection, entity, { type, shards, isRelated: true });
  await write(entity, plan);
  throw new Overtaken();
}
