import { invariant, Problem } from '@engawa/errors';
import { entityKey } from '@engawa/keys';
import { itemSize, parseEntity } from '@engawa/model';
import {
  absent,
  ConditionFailed,
  equal,
  ItemRejected,
  maxTransactionBytes,
  maxTransactionWrites,
} from '@engawa/table';
import { hasIncarnation } from '../relations/incarnations.ts';
import { relationWrite } from './write-plan.ts';
import { transact } from './transact.ts';
import { notUnique, uniqueWrites } from '../items/unique-values.ts';
import { targetKey } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Condition, Write } from '@engawa/table';
import type { Entity } from '@engawa/model';
import type { WritePlan, RelationPlan } from './write-plan.ts';
import type { TransactOptions } from './transact.ts';

/** The entity was changed since it was read: nothing was written. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/** A new target was deleted and recreated: nothing was written; the next attempt knows its incarnation. */
export class TargetsRecreated extends WriteConflict {
  readonly targets: readonly Entity[];

  constructor(targets: readonly Entity[]) {
    super();
    this.targets = targets;
  }
}

export interface CommitOptions extends TransactOptions {
  /** As it was read; undefined where it did not exist. */
  before: Entity | undefined;
}

/** Every write of an entity changes its writeId. */
export function unchangedSince(before: Entity | undefined): Condition {
  return before === undefined ? absent('pk') : equal('writeId', before.writeId);
}

/** The checks that the targets of new relations exist; not for a relation to the entity itself. */
export function targetChecks({ name }: WritePlan, relations: readonly RelationPlan[]): Write[] {
  const ownKey = targetKey(name);
  return relations
    .filter(({ isNew, names, to }) => isNew && names.length > 0 && targetKey(to) !== ownKey)
    .map(({ to, incarnation }) => ({
      check: entityKey(to),
      onlyIf: hasIncarnation(incarnation),
    }));
}

/** The number of writes of the plan in one transaction. */
export function writeCount(plan: WritePlan): number {
  const { rows, relations, unique } = plan;
  const checks = targetChecks(plan, relations);
  return 1 + rows.length + unique.length + relations.length + checks.length;
}

/** Whether one transaction can write the plan. */
export function fitsTransaction(plan: WritePlan): boolean {
  return writeCount(plan) <= maxTransactionWrites;
}

/**
 * Writes the plan in one transaction.
 * @throws WriteConflict, Problem `related-entity-not-found`, `not-unique`
 */
export async function commit(
  { before, ...options }: CommitOptions,
  plan: WritePlan,
): Promise<void> {
  const onlyIf = unchangedSince(before);
  const own: Write =
    plan.own === undefined ? { delete: entityKey(plan.name), onlyIf } : { put: plan.own, onlyIf };
  const relations = plan.relations.map((relation) => relationWrite(plan, relation));
  const checks = targetChecks(plan, plan.relations);
  const writes = [own, ...plan.rows, ...uniqueWrites(plan.unique), ...relations, ...checks];
  try {
    refuseTooLarge(writes);
    await transact(options, writes);
  } catch (error) {
    const checksFrom = writes.length - checks.length;
    throw toProblem(error, plan, { own: 0, checksFrom, checks, uniqueFrom: 1 + plan.rows.length });
  }
}

interface WriteIndexes {
  own: number;
  /** Index of the first write of a unique value; undefined where there are none. */
  uniqueFrom?: number;
  checksFrom: number;
  checks: readonly Write[];
}

/** Translates failed conditions of a transaction to Problems, by the indexes of its writes. */
export function toProblem(
  error: unknown,
  plan: WritePlan,
  { own, uniqueFrom, checksFrom, checks }: WriteIndexes,
): unknown {
  if (error instanceof ItemRejected) return itemProblem(error);
  if (!(error instanceof ConditionFailed)) return error;
  if (error.failed.includes(own)) return new WriteConflict();
  const taken = uniqueFrom === undefined ? undefined : notUnique(error, plan.unique, uniqueFrom);
  if (taken !== undefined) return taken;
  const failed = error.failed.filter((index) => index >= checksFrom);
  const isMissing = (index: number) => {
    const item = error.items.get(index);
    return item === undefined || parseEntity(item).gone === true;
  };
  const missing = failed
    .filter(isMissing)
    .map((index) => invariant(checks[index - checksFrom], 'the checks are the last writes'));
  if (missing.length > 0) return notFound(plan, missing);
  return new TargetsRecreated(
    failed.flatMap((index) => {
      const item = error.items.get(index);
      return item === undefined ? [] : [parseEntity(item)];
    }),
  );
}

/** @throws Problem `invalid-request` where the writes together exceed DynamoDB's limit */
export function refuseTooLarge(writes: readonly Write[]): void {
  const sizes = writes.map((write) => ('put' in write ? itemSize({ ...write.put }) : 0));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes <= maxTransactionBytes) return;
  const megabytes = (bytes / 2 ** 20).toFixed(1);
  const sentence = `needs ${megabytes} MB including its search rows; a write can have at most 4 MB`;
  const fieldErrors = [{ path: 'body', message: sentence }];
  throw new Problem('invalid-request', `body ${sentence}.`, { fieldErrors });
}

/** The Problem for an item that DynamoDB rejects, naming the request body. */
export function itemProblem({ reason, cause }: ItemRejected): Problem {
  const sentence =
    reason === 'too_large'
      ? 'needs an item of more than 400 KB'
      : 'contains a value that DynamoDB rejects';
  const fieldErrors = [{ path: 'body', message: sentence }];
  return new Problem('invalid-request', `body ${sentence}.`, { fieldErrors, cause });
}

function notFound(plan: WritePlan, missing: readonly Write[]): Problem {
  const keys = new Set(missing.flatMap((write) => ('check' in write ? write.check.pk : [])));
  const fieldErrors = plan.relations
    .filter(({ to }) => keys.has(entityKey(to).pk))
    .flatMap(({ to, names }) =>
      names.map((name) => ({ path: `body.relations.${name}`, message: sentenceOf(to) })),
    );
  const first = invariant(fieldErrors[0], 'a checked target has a relation to it');
  const detail = `${first.path} ${first.message}.`;
  return new Problem('related-entity-not-found', detail, { fieldErrors });
}

function sentenceOf({ type, id }: EntityName): string {
  return `leads to ${type} "${id}", which does not exist`;
}
