import { isDeepStrictEqual } from 'node:util';
import { ulid } from 'ulid';
import { relationIds } from '../read/item-collection.ts';
import { planChange } from './write-plan.ts';
import type { EntityName } from '@engawa/keys';
import type { EntityType } from '@engawa/model';
import type { Shards } from '@engawa/table';
import type { Logger } from 'pino';
import type { ItemCollection } from '../read/item-collection.ts';
import type { WritePlan } from './write-plan.ts';
import type { OnUnsearchable } from '../items/entity-items.ts';

export interface PlanRebuildOptions {
  type: EntityType;
  shards: Shards;
  log: Logger;
}

/**
 * The plan that rewrites an entity for the current declaration of its type; undefined where it is up to date. Its
 * version stays, since its content is the same. A value that cannot be searched gets no row, and is logged.
 */
export function planRebuild(
  before: ItemCollection,
  { type, shards, log }: PlanRebuildOptions,
): WritePlan | undefined {
  const { entity, own } = before;
  if (entity === undefined || entity.gone === true) return undefined;
  // Written by a replica with a later declaration, whose build will rewrite it.
  if (entity.layout > type.layout) return undefined;
  const next = { ...entity, staging: undefined, layout: type.layout, writeId: ulid() };
  const unsearchable = logUnsearchable(log, type, entity);
  const desired = { entity: next, relations: before.relations && relationIds(before) };
  const plan = planChange(before, desired, { type, shards, unsearchable });
  const isSame = isDeepStrictEqual({ ...own, writeId: '' }, { ...plan.own, writeId: '' });
  const isEmpty = isSame && plan.rows.length === 0 && plan.relations.length === 0;
  return isEmpty ? undefined : plan;
}

/** For background writes, which have no client to report to. */
export function logUnsearchable(
  log: Logger,
  type: EntityType,
  { id }: Pick<EntityName, 'id'>,
): OnUnsearchable {
  return ({ message: reason }) => {
    log.warn({ type: type.name, id, reason }, 'entity is not searchable');
  };
}
