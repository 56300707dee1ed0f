import { Problem } from '@engawa/errors';
import { entityKey } from '@engawa/keys';
import { targetChecks, unchangedSince } from '../entities/write/commit.ts';
import { relationWrite } from '../entities/write/write-plan.ts';
import { refuseClaimedTwice, uniqueWrites } from '../entities/items/unique-values.ts';
import { targetKey } from '../entities/items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Write } from '@engawa/table';
import type { UniqueChange } from '../entities/items/unique-values.ts';
import type { PreparedOperation } from './prepared-operation.ts';

/** The subject of a write's condition: the entity of an operation, or a target of relations. */
export type ConditionSubject =
  { own: number } | { target: EntityName; operations: readonly number[] };

export interface MergedPlans {
  writes: Write[];
  /** Changes of unique values, and the index of the first of their writes. */
  unique: UniqueChange[];
  uniqueFrom: number;
  /** By index of the write. */
  subjects: Map<number, ConditionSubject>;
}

/**
 * The writes of all operations as one transaction. DynamoDB allows one write per item: a target that another operation
 * writes needs no check, a target of several operations is checked once, and a unique value may move from the entity of
 * one operation to that of another.
 * @throws Problem `related-entity-not-found` where an operation relates to an entity that another one deletes,
 * `not-unique` where two claim a value
 */
export function mergePlans(prepared: readonly PreparedOperation[]): MergedPlans {
  const operations = new Map(prepared.map((operation) => [targetKey(operation.name), operation]));
  const subjects = new Map<number, ConditionSubject>();
  const writes: Write[] = prepared.map((operation, index) => {
    subjects.set(index, { own: index });
    return ownWrite(operation);
  });
  const unique = prepared.flatMap(({ plan }, index) => {
    return (plan?.unique ?? []).map((change) => ({ ...change, at: `body.operations[${index}]` }));
  });
  refuseClaimedTwice(unique);
  const uniqueFrom = writes.length;
  writes.push(...uniqueWrites(unique));
  const targets = new Map<string, { check: Write; target: EntityName; operations: number[] }>();
  for (const [index, { plan }] of prepared.entries()) {
    if (plan === undefined) continue;
    writes.push(...plan.rows, ...plan.relations.map((relation) => relationWrite(plan, relation)));
    for (const relation of plan.relations) {
      const [check] = targetChecks(plan, [relation]);
      if (check === undefined) continue;
      const key = targetKey(relation.to);
      const operation = operations.get(key);
      if (operation !== undefined && operation.after === undefined)
        throw relatesToDeleted(relation.to, index);
      if (operation !== undefined) continue;
      const known = targets.get(key) ?? { check, target: relation.to, operations: [] };
      known.operations.push(index);
      targets.set(key, known);
    }
  }
  for (const { check, ...subject } of targets.values()) {
    subjects.set(writes.length, subject);
    writes.push(check);
  }
  return { writes, subjects, unique, uniqueFrom };
}

function ownWrite({ name, before, plan }: PreparedOperation): Write {
  const onlyIf = unchangedSince(before);
  if (plan === undefined) return { check: entityKey(name), onlyIf };
  return plan.own === undefined ? { delete: entityKey(name), onlyIf } : { put: plan.own, onlyIf };
}

function relatesToDeleted(to: EntityName, index: number): Problem {
  const message = `leads to ${to.type} "${to.id}", which this transaction deletes`;
  const path = `body.operations[${index}].relations`;
  return new Problem('related-entity-not-found', `${path} ${message}.`, {
    fieldErrors: [{ path, message }],
  });
}
