import { Problem } from '@engawa/errors';
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
import { isIncarnation } from '../relations/incarnations.ts';
import { relationWrite } from './write-plan.ts';
import { transact } from './transact.ts';
import { notUnique, uniqueWrites } from '../items/unique-values.ts';
import { targetKey } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Condition, Write } from '@engawa/table';
import type { Entity } from '@engawa/model';
import type { Plan, RelationPlan } from './write-plan.ts';
import type { TransactOptions } from './transact.ts';

/** The entity is no longer as it was read: nothing was written. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** What it newly relates to was created again after a deletion: nothing was written; the next attempt knows of it. */
export class TargetsRecreated extends Overtaken {
  readonly targets: readonly Entity[];

  constructor(targets: readonly Entity[]) {
    super();
    this.targets = targets;
  }
}

export interface CommitOptions extends TransactOptions {
  /** As it was read; undefined where it was not there. */
  before: Entity | undefined;
}

/** Whatever has been written to an entity since, its writeId is another one. */
export function unchangedSince(before: Entity | undefined): Condition {
  return before === undefined ? absent('pk') : equal('writeId', before.writeId);
}

/** Of the planned relations, the checks that what they newly lead to is there. Of the entity itself it is known. */
export function targetChecks({ name }: Plan, relations: readonly RelationPlan[]): Write[] {
  const self = targetKey(name);
  return relations
    .filter(({ isNew, names, to }) => isNew && names.length > 0 && targetKey(to) !== self)
    .map(({ to, incarnation }) => ({
      check: entityKey(to),
      onlyIf: isIncarnation(incarnation),
    }));
}

/** How many writes the plan takes in one transaction. */
export function sizeOf(plan: Plan): number {
  const { rows, relations, unique } = plan;
  const checks = targetChecks(plan, relations);
  return 1 + rows.length + unique.length + relations.length + checks.length;
}

/** Whether one transaction can write the plan. */
export function fitsTransaction(plan: Plan): boolean {
  return sizeOf(plan) <= maxTransactionWrites;
}

/**
 * All of the plan at once, in one request.
 * @throws Overtaken, Problem `related-entity-not-found`, `not-unique`
 */
export async function commit({ before, ...options }: CommitOptions, plan: Plan): Promise<void> {
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
    throw translate(error, plan, { own: 0, checksFrom, checks, uniqueFrom: 1 + plan.rows.length });
  }
}

interface Places {
  own: number;
  /** Of the first write of a unique value; undefined where none are written. */
  uniqueFrom?: number;
  checksFrom: number;
  checks: readonly Write[];
}

/** What the conditions of a transaction mean, by the places of its writes. */
export function translate(
  error: unknown,
  plan: Plan,
  { own, uniqueFrom, checksFrom, checks }: Places,
): unknown {
  if (error instanceof ItemRejected) return refused(error);
  if (!(error instanceof ConditionFailed)) return error;
  if (error.failed.includes(own)) return new Overtaken();
  const taken = uniqueFrom === undefined ? undefined : notUnique(error, plan.unique, uniqueFrom);
  if (taken !== undefined) return taken;
  const failed = error.failed.filter((index) => index >= checksFrom);
  const isMissing = (index: number) => {
    const item = error.items.get(index);
    return item === undefined || parseEntity(item).gone === true;
  };
  const missing = failed.filter(isMissing).flatMap((index) => checks[index - checksFrom] ?? []);
  if (missing.length > 0) return notFound(plan, missing);
  return new TargetsRecreated(
    failed.flatMap((index) => {
      const item = error.items.get(index);
      return item === undefined ? [] : [parseEntity(item)];
    }),
  );
}

/** @throws Problem `invalid-request` where DynamoDB would refuse it for what it is all together */
export function refuseTooLarge(writes: readonly Write[]): void {
  const sizes = writes.map((write) => ('put' in write ? itemSize({ ...write.put }) : 0));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes <= maxTransactionBytes) return;
  const megabytes = (bytes / 2 ** 20).toFixed(1);
  const sentence = `makes ${megabytes} MB with a row for each search that has its texts; a write takes at most 4 MB`;
  const faults = [{ path: 'body', message: sentence }];
  throw new Problem('invalid-request', `body ${sentence}.`, { fieldErrors: faults });
}

/** What the table will not take, said of the body that it came from. */
export function refused({ reason, message, cause }: ItemRejected): Problem {
  const sentence = reason === 'too_large' ? 'makes an item of more than 400 KB' : `: ${message}`;
  const faults = [{ path: 'body', message: sentence }];
  return new Problem('invalid-request', `body ${sentence}.`, { fieldErrors: faults, cause });
}

function notFound(plan: Plan, missing: readonly Write[]): Problem {
  const keys = new Set(missing.flatMap((write) => ('check' in write ? write.check.pk : [])));
  const faults = plan.relations
    .filter(({ to }) => keys.has(entityKey(to).pk))
    .flatMap(({ to, names }) =>
      names.map((name) => ({ path: `body.relations.${name}`, message: sentenceOf(to) })),
    );
  const [first] = faults;
  const detail = `${first?.path ?? 'body.relations'} ${first?.message ?? 'is not there'}.`;
  return new Problem('related-entity-not-found', detail, { fieldErrors: faults });
}

function sentenceOf({ type, id }: EntityName): string {
  return `leads to ${type} "${id}", which is not there`;
}
