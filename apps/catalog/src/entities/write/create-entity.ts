import { checkLayout } from '../../types/known/with-current-type.ts';
import { withKeyProblem } from '../content/key-problem.ts';
import { emptyCollection } from '../read/item-collection.ts';
import { WriteConflict } from './commit.ts';
import { refuseCreation } from './decide.ts';
import { nextEntity } from './next-entity.ts';
import { learnFrom } from './write-attempts.ts';
import { planChange } from './write-plan.ts';
import type { Entity } from '@engawa/model';
import type { Shards } from '@engawa/table';
import type { KnownTypes } from '../../types/known/known-types.ts';
import type { Incarnations } from '../relations/incarnations.ts';
import type { PutDecision } from './decide.ts';
import type { WritePlan } from './write-plan.ts';

interface CreateEntityContext {
  shards: Shards;
  types: KnownTypes;
  incarnations: Incarnations;
  /** Writes the plan of an entity that does not exist. */
  write: (plan: WritePlan) => Promise<unknown>;
}

/** Creates the entity without reading it first. @returns undefined where it exists: nothing was written */
export async function createEntity(
  { shards, types, incarnations, write }: CreateEntityContext,
  { name, content, layout }: PutDecision,
): Promise<Entity | undefined> {
  const type = await types.get(name.type);
  checkLayout(type, layout);
  refuseCreation(type, content);
  const entity = nextEntity({ name, type, before: undefined, content });
  const { relations, links } = content;
  try {
    const plan = await withKeyProblem(() =>
      planChange(emptyCollection, { entity, relations, links }, { type, shards, incarnations }),
    );
    await write(plan);
    return entity;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    learnFrom(error, incarnations);
    return undefined;
  }
}
