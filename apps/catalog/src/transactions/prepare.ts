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
import { checkLayout, typeOf } from '../types/known/by-current-type.ts';
import { targetKey } from '../entities/items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { EntityType } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { Additions } from '../entities/write/additions.ts';
import type { ItemCollection, RelationsRead } from '../entities/read/item-collection.ts';
import type { DecideChange } from '../entities/write/decide.ts';
import type { Incarnations } from '../entities/relations/incarnations.ts';
import type { KnownTypes, TypesMemory } from '../types/known/known-types.ts';
import type { Prepared } from './prepared.ts';
import type { Step } from './step.ts';

export interface PrepareOptions {
  table: Table;
  shards: Shards;
  types: KnownTypes & TypesMemory;
  incarnations: Incarnations;
  additions: Additions;
  /** Names this replica. */
  by: string;
}

/** A step and its entity as read. */
export interface ReadStep {
  step: Step;
  before: ItemCollection;
}

/** The relations that a step has to read. */
export function relationsOfStep(step: Step, type: EntityType): RelationsRead {
  if (step.operation === 'patch') return relationsToRead(type, step.changes.relations);
  return step.operation === 'check' ? 'none' : 'all';
}

/**
 * Plans the writes of a step. @throws Problem where the entity does not meet its preconditions, or the change is
 * invalid
 */
export async function prepare(
  options: PrepareOptions,
  { step, before: there }: ReadStep,
  all: readonly ReadStep[],
): Promise<Prepared> {
  const { name } = step;
  const type = await typeOf(options.types, name, there.entity);
  checkLayout(type, step.layout);
  refusePartial(there, type);
  const before = presentCollection(there, type);
  switch (step.operation) {
    case 'check': {
      const entity = expectEntity(before, name, step.revision);
      refuseUnmetConditions(step.conditions, entity);
      return { name, before: entity, after: entity, plan: undefined };
    }
    case 'delete':
      return prepareDeletion(options, { step, before, type }, all);
    case 'put':
      return prepareChange(options, { step, before, type }, all, decidePut(step));
    case 'patch':
      return prepareChange(
        options,
        { step, before, type },
        all,
        decidePatch(step, options.additions),
      );
  }
}

async function prepareChange(
  { table, shards, incarnations }: PrepareOptions,
  { step, before: present, type }: ReadStep & { type: EntityType },
  all: readonly ReadStep[],
  decide: DecideChange,
): Promise<Prepared> {
  const { name } = step;
  const relations = relationsOf(step);
  const stale = await staleTargets({ table, incarnations }, present, { type, relations });
  const before = withoutStaleRelations(present, { type, stale, named: relations });
  const wanted = decide(before, type, stale.size > 0);
  const { entity } = wanted;
  const prepared = { name, before: before.entity, after: entity };
  if (entity === before.entity) return { ...prepared, plan: undefined };
  const planned = { type, shards, stale, incarnations: withSteps(incarnations, all) };
  const plan = await withKeyProblem(() =>
    planChange(before, { relations: undefined, ...wanted }, planned),
  );
  return { ...prepared, plan };
}

function relationsOf(step: Step): ReadonlyMap<string, readonly string[]> {
  if (step.operation === 'put') return step.content.relations;
  return step.operation === 'patch' ? namedRelations(step.changes) : new Map();
}

/** The incarnations of entities in the transaction are known, those of others come from the cache. */
function withSteps(incarnations: Incarnations, all: readonly ReadStep[]): Pick<Incarnations, 'of'> {
  const known = new Map(
    all.map(({ step, before }) => [targetKey(step.name), before.entity?.incarnation]),
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
  { step, before, type }: ReadStep & { type: EntityType },
  all: readonly ReadStep[],
): Promise<Prepared> {
  const { name } = step;
  if (step.operation !== 'delete') throw new TypeError('not a deletion');
  const entity = expectEntity(before, name, step.revision);
  refuseUnmetConditions(step.conditions, entity);
  const mayBeRelated = await isRelatedTo(types, name.type);
  if (mayBeRelated && !step.detach) {
    await refuseRelated({ table }, entity, (from) => losesRelation(all, from, name));
  }
  const at = Math.max(Date.now(), entity.updatedAt + 1);
  const intent = mayBeRelated ? newDeletionIntent(name, at, by) : undefined;
  const plan = planDeletion(before, entity, { type, at, intent, shards });
  return { name, before: before.entity, after: undefined, plan, intent };
}

/** Whether the transaction deletes the related entity, too. */
function losesRelation(all: readonly ReadStep[], from: EntityName, to: EntityName): boolean {
  const key = targetKey(from);
  return (
    key !== targetKey(to) &&
    all.some(({ step }) => step.operation === 'delete' && targetKey(step.name) === key)
  );
}

/** @throws Problem `invalid-request` where two steps have the same entity */
export function refuseSameEntity(steps: readonly Step[]): void {
  const seen = new Set<string>();
  for (const [index, { name }] of steps.entries()) {
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
