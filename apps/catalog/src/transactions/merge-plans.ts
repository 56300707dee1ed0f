import { Problem } from '@engawa/errors';
import { entityKey } from '@engawa/keys';
import { targetChecks, unchangedSince } from '../entities/write/commit.ts';
import { relationWrite } from '../entities/write/write-plan.ts';
import { refuseClaimedTwice, uniqueWrites } from '../entities/items/unique-values.ts';
import { targetKey } from '../entities/items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Write } from '@engawa/table';
import type { UniqueChange } from '../entities/items/unique-values.ts';
import type { Prepared } from './prepared.ts';

/** The subject of a write's condition: the entity of a step, or a target of relations. */
export type ConditionSubject = { own: number } | { target: EntityName; steps: readonly number[] };

export interface MergedPlans {
  writes: Write[];
  /** Changes of unique values, and the index of the first of their writes. */
  unique: UniqueChange[];
  uniqueFrom: number;
  /** By index of the write. */
  subjects: Map<number, ConditionSubject>;
}

/**
 * The writes of all steps as one transaction. DynamoDB allows one write per item: a target that another step writes
 * needs no check, a target of several steps is checked once, and a unique value may move from one step's to another's.
 * @throws Problem `related-entity-not-found` where a step relates to an entity that another deletes, `not-unique` where
 * two claim a value
 */
export function mergePlans(prepared: readonly Prepared[]): MergedPlans {
  const steps = new Map(prepared.map((step) => [targetKey(step.name), step]));
  const meanings = new Map<number, ConditionSubject>();
  const writes: Write[] = prepared.map((step, index) => {
    meanings.set(index, { own: index });
    return ownWrite(step);
  });
  const unique = prepared.flatMap(({ plan }, index) => {
    return (plan?.unique ?? []).map((change) => ({ ...change, at: `body.operations[${index}]` }));
  });
  refuseClaimedTwice(unique);
  const uniqueFrom = writes.length;
  writes.push(...uniqueWrites(unique));
  const targets = new Map<string, { check: Write; target: EntityName; steps: number[] }>();
  for (const [index, { plan }] of prepared.entries()) {
    if (plan === undefined) continue;
    writes.push(...plan.rows, ...plan.relations.map((relation) => relationWrite(plan, relation)));
    for (const relation of plan.relations) {
      const [check] = targetChecks(plan, [relation]);
      if (check === undefined) continue;
      const key = targetKey(relation.to);
      const step = steps.get(key);
      if (step !== undefined && step.after === undefined) throw leadsToDeleted(relation.to, index);
      if (step !== undefined) continue;
      const known = targets.get(key) ?? { check, target: relation.to, steps: [] };
      known.steps.push(index);
      targets.set(key, known);
    }
  }
  for (const { check, ...meaning } of targets.values()) {
    meanings.set(writes.length, meaning);
    writes.push(check);
  }
  return { writes, subjects: meanings, unique, uniqueFrom };
}

function ownWrite({ name, before, plan }: Prepared): Write {
  const onlyIf = unchangedSince(before);
  if (plan === undefined) return { check: entityKey(name), onlyIf };
  return plan.own === undefined ? { delete: entityKey(name), onlyIf } : { put: plan.own, onlyIf };
}

function leadsToDeleted(to: EntityName, index: number): Problem {
  const message = `leads to ${to.type} "${to.id}", which this transaction deletes`;
  const path = `body.operations[${index}].relations`;
  return new Problem('related-entity-not-found', `${path} ${message}.`, {
    fieldErrors: [{ path, message }],
  });
}
