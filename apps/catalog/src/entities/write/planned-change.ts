import { parseEntity } from '@engawa/model';
import { presentCollection } from '../read/present-collection.ts';
import { withoutStaleRelations } from '../relations/stale-relations.ts';
import { planChange } from './write-plan.ts';
import type { Document, Entity } from '@engawa/model';
import type { Content } from '../content/content.ts';
import type { ItemCollection } from '../read/item-collection.ts';
import type { DecideChange } from './decide.ts';
import type { PlanOptions, WritePlan } from './write-plan.ts';

export interface PlannedChangeOptions extends PlanOptions {
  /** The `targetKey`s of entities whose relation rows have to be rewritten (`staleTargets`). */
  stale: ReadonlySet<string>;
  /** The target ids that the request names, new or existing. */
  named: Content['relations'];
  decide: DecideChange;
}

export interface PlannedChange {
  /** What the change was decided from. */
  before: ItemCollection;
  entity: Entity;
  /** Undefined: the entity stays as it is. */
  plan: WritePlan | undefined;
}

/**
 * Decides the change of an entity as stored, and plans its writes.
 * @throws KeyError (`planChange`); Problem of the decision
 */
export function plannedChange(
  stored: ItemCollection,
  isStale: boolean,
  options: PlannedChangeOptions,
): PlannedChange {
  const { type, decide } = options;
  const before = withoutStaleRelations(presentCollection(stored, type), options);
  const desired = decide(before, type, isStale);
  const { entity } = desired;
  if (entity === before.entity) return { before, entity, plan: undefined };
  return {
    before,
    entity,
    plan: planChange(before, { relations: undefined, ...desired }, options),
  };
}

/** The items of an entity of which only the own item has changed. */
export function withOwnItem(stored: ItemCollection, own: Document): ItemCollection {
  return { ...stored, own, entity: parseEntity(own) };
}
