import { Problem } from '@engawa/errors';
import { namedRelations } from '../entities/content/check-changes.ts';
import { refuseUnmetConditions } from '../entities/content/conditions.ts';
import { decidePatch, decidePut } from '../entities/write/decide.ts';
import { newDeletionIntent } from '../entities/delete/deletion-intent.ts';
import { planDeletion } from '../entities/delete/plan-deletion.ts';
import { isRelatedTo, refuseRelated } from '../entities/delete/related-entities.ts';
import { withKeyProblem } from '../entities/content/key-problem.ts';
import { expectEntity } from '../entities/read/expected-entity.ts';
import { withoutStaleRelations } from '../entities/relations/stale-relations.ts';
import { staleTargets } from '../entities/relations/incarnations.ts';
import { planChange } from '../entities/write/write-plan.ts';
import { refusePartial, relationsToRead } from '../entities/relations/relations-read.ts';
import { presentCollection } from '../entities/read/present-collection.ts';
import { checkLayout, typeOf } from '../types/known/with-current-type.ts';
import { targetKey } from '../entities/items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { EntityType } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { Additions } from '../entities/write/additions.ts';
import type { ItemCollection, RelationsRead } from '../entities/read/item-collection.ts';
import type { DecideChange } from '../entities/write/decide.ts';
import type { Incarnations } from '../entities/relations/incarnations.ts';
import type { KnownTypes, TypesMemory } from '../types/known/known-types.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import type { TransactionOperation } from './transaction-operation.ts';

export interface PrepareOptions {
  table: Table;
  shards: Shards;
  types: KnownTypes & TypesMemory;
  incarnations: Incarnations;
  additions: Additions;
  /** Names this replica. */
  by: string;
}

/** An operation and its entity as read. */
export interface ReadOperation {
  operation: TransactionOperation;
  before: ItemCollection;
}

/** The relations that an operation has to read. */
export function relationsToReadFor(
  operation: TransactionOperation,
  type: EntityType,
): RelationsRead {
  if (operation.kind === 'patch') return relationsToRead(type, operation.changes.relations);
  return operation.kind === 'check' ? 'none' : 'all';
}

/**
 * Plans the writes of an operation. @throws Problem where the entity does not meet its preconditions, or the change is
 * invalid
 */
export async function prepareOperation(
  options: PrepareOptions,
  { operation, before: stored }: ReadOperation,
  all: readonly ReadOperation[],
): Promise<PreparedOperation> {
  const { name } = operation;
  const type = await typeOf(options.types, name, stored.entity);
  checkLayout(type, operation.layout);
  refusePartial(stored, type);
  const before = presentCollection(stored, type);
  switch (operation.kind) {
    case 'check': {
      const entity = expectEntity(before, name, operation.revision);
      refuseUnmetConditions(operation.conditions, entity);
      return { name, before: entity, after: entity, plan: undefined };
    }
    case 'delete':
      return prepareDeletion(options, { operation, before, type }, all);
    case 'put':
      return prepareChange(options, { operation, before, type }, all, decidePut(operation));
    case 'patch':
      return prepareChange(
        options,
        { operation, before, type },
        all,
        decidePatch(operation, options.additions),
      );
  }
}

async function prepareChange(
  { table, shards, incarnations }: PrepareOptions,
  { operation, before: present, type }: ReadOperation & { type: EntityType },
  all: readonly ReadOperation[],
  decide: DecideChange,
): Promise<PreparedOperation> {
  const { name } = operation;
  const relations = relationsOf(operation);
  const stale = await staleTargets({ table, incarnations }, present, { type, relations });
  const before = withoutStaleRelations(present, { type, stale, named: relations });
  const desired = decide(before, type, stale.size > 0);
  const { entity } = desired;
  const prepared = { name, before: before.entity, after: entity };
  if (entity === before.entity) return { ...prepared, plan: undefined };
  const planned = { type, shards, stale, incarnations: withOwnIncarnations(incarnations, all) };
  const plan = await withKeyProblem(() =>
    planChange(before, { relations: undefined, ...desired }, planned),
  );
  return { ...prepared, plan };
}

function relationsOf(operation: TransactionOperation): ReadonlyMap<string, readonly string[]> {
  if (operation.kind === 'put') return operation.content.relations;
  return operation.kind === 'patch' ? namedRelations(operation.changes) : new Map();
}

/** The incarnations of entities in the transaction are known, those of others come from the cache. */
function withOwnIncarnations(
  incarnations: Incarnations,
  all: readonly ReadOperation[],
): Pick<Incarnations, 'of'> {
  const known = new Map(
    all.map(({ operation, before }) => [targetKey(operation.name), before.entity?.incarnation]),
  );
  return {
    of: (name: EntityName) => {
      const key = targetKey(name);
      return known.has(key) ? known.get(key) : incarnations.of(name);
    },
  };
}

async function prepareDeletion(
  { table, shards, types, by }: PrepareOptions,
  { operation, before, type }: ReadOperation & { type: EntityType },
  all: readonly ReadOperation[],
): Promise<PreparedOperation> {
  const { name } = operation;
  if (operation.kind !== 'delete') throw new TypeError('not a deletion');
  const entity = expectEntity(before, name, operation.revision);
  refuseUnmetConditions(operation.conditions, entity);
  const mayBeRelated = await isRelatedTo(types, name.type);
  if (mayBeRelated && !operation.detach) {
    await refuseRelated({ table }, entity, (from) => removesRelation(all, from, name));
  }
  const at = Math.max(Date.now(), entity.updatedAt + 1);
  const intent = mayBeRelated ? newDeletionIntent(name, at, by) : undefined;
  const plan = planDeletion(before, entity, { type, at, intent, shards });
  return { name, before: before.entity, after: undefined, plan, intent };
}

/** Whether the transaction deletes the related entity, too. */
function removesRelation(all: readonly ReadOperation[], from: EntityName, to: EntityName): boolean {
  const key = targetKey(from);
  return (
    key !== targetKey(to) &&
    all.some(({ operation }) => operation.kind === 'delete' && targetKey(operation.name) === key)
  );
}

/** @throws Problem `invalid-request` where two operations have the same entity */
export function refuseSameEntity(operations: readonly TransactionOperation[]): void {
  const seen = new Set<string>();
  for (const [index, { name }] of operations.entries()) {
    const key = targetKey(name);
    if (seen.has(key)) {
      const path = `body.operations[${index}]`;
      const message = `repeats ${name.type} "${name.id}"; an entity can be in only one operation`;
      throw new Problem('invalid-request', `${path} ${message}.`, {
        fieldErrors: [{ path, message }],
      });
    }
    seen.add(key);
  }
}
