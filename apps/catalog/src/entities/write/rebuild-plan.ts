import { isDeepStrictEqual } from 'node:util';
import { ulid } from 'ulid';
import { relationIds } from '../read/item-collection.ts';
import { planChange } from './write-plan.ts';
import type { EntityName } from '@engawa/keys';
import type { EntityType } from '@engawa/model';
import type { Shards } from '@engawa/table';
import type { Logger } from 'pino';
import type { Collection } from '../read/item-collection.ts';
import type { Plan } from './write-plan.ts';
import type { Unsearchable } from '../items/entity-items.ts';

export interface RebuiltOptions {
  type: EntityType;
  shards: Shards;
  log: Logger;
}

/**
 * The plan that brings an entity's rows to what its type says; undefined where there is nothing to do. Its version stays:
 * nothing of what it says has changed. What cannot be searched as it is has no row; it is said in the log.
 */
export function rebuilt(
  before: Collection,
  { type, shards, log }: RebuiltOptions,
): Plan | undefined {
  const { entity, own } = before;
  if (entity === undefined || entity.gone === true) return undefined;
  // Somebody knows a later type already, whose build comes here, too.
  if (entity.layout > type.layout) return undefined;
  const next = { ...entity, staging: undefined, layout: type.layout, writeId: ulid() };
  const unsearchable = toldTo(log, type, entity);
  const wanted = { entity: next, relations: before.relations && relationIds(before) };
  const plan = planChange(before, wanted, { type, shards, unsearchable });
  const isSame = isDeepStrictEqual({ ...own, writeId: '' }, { ...plan.own, writeId: '' });
  const isNothing = isSame && plan.rows.length === 0 && plan.relations.length === 0;
  return isNothing ? undefined : plan;
}

/** For writes that nobody waits for whom it could be said to. */
export function toldTo(
  log: Logger,
  type: EntityType,
  { id }: Pick<EntityName, 'id'>,
): Unsearchable {
  return ({ message: reason }) => {
    log.warn({ type: type.name, id, reason }, 'entity is not searchable');
  };
}
