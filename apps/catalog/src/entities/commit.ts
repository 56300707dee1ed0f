import { Problem } from '@engawa/errors';
import { entityKey } from '@engawa/keys';
import { absent, allOf, ConditionFailed, equal, ItemRefused, present } from '@engawa/table';
import { relationWrite } from './plan.ts';
import { targetKey } from './wanted-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Condition, Table, Write } from '@engawa/table';
import type { Entity } from '@engawa/model';
import type { Plan, RelationPlan } from './plan.ts';

/** Writes of one transaction (DynamoDB API reference, TransactWriteItems). */
export const largestTransaction = 100;

/** The entity is no longer as it was read: nothing was written. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

export interface CommitOptions {
  table: Table;
  /** As it was read; undefined where it was not there. */
  before: Entity | undefined;
}

/** Whatever has been written to an entity since, its writeId is another one. */
export function unchangedSince(before: Entity | undefined): Condition {
  return before === undefined ? absent('pk') : equal('writeId', before.writeId);
}

/** It is there, and no mere placeholder. */
export const isThere: Condition = allOf(present('pk'), absent('gone'));

/** Of the planned relations, the checks that what they newly lead to is there. Of the entity itself it is known. */
export function targetChecks({ name }: Plan, relations: readonly RelationPlan[]): Write[] {
  const self = targetKey(name);
  return relations
    .filter(({ isNew, names, to }) => isNew && names.length > 0 && targetKey(to) !== self)
    .map(({ to }) => ({ check: entityKey(to), onlyIf: isThere }));
}

/** How many writes the plan takes in one transaction. */
export function sizeOf(plan: Plan): number {
  return 1 + plan.rows.length + plan.relations.length + targetChecks(plan, plan.relations).length;
}

/**
 * All of the plan at once, in one request.
 * @throws Overtaken, Problem `related-entity-not-found`
 */
export async function commit({ table, before }: CommitOptions, plan: Plan): Promise<void> {
  const onlyIf = unchangedSince(before);
  const own: Write =
    plan.own === undefined ? { delete: entityKey(plan.name), onlyIf } : { put: plan.own, onlyIf };
  const relations = plan.relations.map((relation) => relationWrite(plan, relation));
  const checks = targetChecks(plan, plan.relations);
  try {
    await table.transact([own, ...plan.rows, ...relations, ...checks]);
  } catch (error) {
    throw translate(error, plan, {
      own: 0,
      checksFrom: 1 + plan.rows.length + relations.length,
      checks,
    });
  }
}

/** What the conditions of a transaction mean, by the places of its writes. */
export function translate(
  error: unknown,
  plan: Plan,
  { own, checksFrom, checks }: { own: number; checksFrom: number; checks: readonly Write[] },
): unknown {
  if (error instanceof ItemRefused) return refused(error);
  if (!(error instanceof ConditionFailed)) return error;
  if (error.failed.includes(own)) return new Overtaken();
  const missing = checks.filter((_, index) => error.failed.includes(checksFrom + index));
  return notFound(plan, missing);
}

/** What the table will not take, said of the body that it came from. */
export function refused({ reason, message, cause }: ItemRefused): Problem {
  const sentence = reason === 'too_large' ? 'makes an item of more than 400 KB' : `: ${message}`;
  const faults = [{ path: 'body', message: sentence }];
  return new Problem('invalid-request', `body ${sentence}.`, { faults, cause });
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
  return new Problem('related-entity-not-found', detail, { faults });
}

function sentenceOf({ type, id }: EntityName): string {
  return `leads to ${type} "${id}", which is not there`;
}
