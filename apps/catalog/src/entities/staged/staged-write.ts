import { entityKey, entityTypeKey } from '@engawa/keys';
import { entityItem, parseEntity, relationItem } from '@engawa/model';
import { allOf, ConditionFailed, equal, ItemRejected, maxTransactionWrites } from '@engawa/table';
import { ulid } from 'ulid';
import {
  WriteConflict,
  itemProblem,
  refuseTooLarge,
  targetChecks,
  toProblem,
  unchangedSince,
} from '../write/commit.ts';
import { sinceOf } from '../write/write-plan.ts';
import { rollBack, rollForward, stagedWriteKey } from './roll-forward.ts';
import { transact } from '../write/transact.ts';
import { notUnique, uniqueWrites } from '../items/unique-values.ts';
import type { Document, Entity } from '@engawa/model';
import type { Write } from '@engawa/table';
import type { Logger } from 'pino';
import type { WritePlan, RelationPlan } from '../write/write-plan.ts';
import type { TransactOptions } from '../write/transact.ts';

export interface StagedWriteOptions extends TransactOptions {
  log: Logger;
  /** As it was read; undefined where it did not exist. */
  before: Entity | undefined;
}

/**
 * Attempts to commit against concurrent scores: one each 10 ms for a second. They keep the staged rows; after the last
 * one the write is rolled back, and begins again as a conflict.
 */
const maxRenewals = 100;

/** A transaction has a check of the entity, and for each relation its row and a check of the target. */
const maxRelationsPerTransaction = Math.floor((maxTransactionWrites - 1) / 2);

/**
 * Writes a plan that is too large for one transaction, still atomically for readers (docs/adr/0020): the relation rows
 * are staged, one transaction at a time; then the write of the entity's own item and other rows commits the staged
 * rows; at last these are rolled forward. If the process ends at any point, another replica completes or rolls back the
 * write.
 * @returns the plan that was written: this one, or the last `replan`
 * @throws WriteConflict, Problem `related-entity-not-found`, `not-unique`: then it was rolled back
 */
export async function stagedWrite(
  options: StagedWriteOptions,
  plan: WritePlan,
): Promise<WritePlan> {
  const { table, log } = options;
  const write = ulid();
  await begin(options, plan, write);
  let attempt: CommitAttempt = { plan, writeId: write, renewals: 0 };
  try {
    for (let start = 0; start < plan.relations.length; start += maxRelationsPerTransaction) {
      await stage(
        options,
        plan,
        plan.relations.slice(start, start + maxRelationsPerTransaction),
        write,
      );
    }
    for (;;) {
      const renewed = await commitStaged(options, attempt, write);
      if (renewed === undefined) break;
      attempt = renewed;
    }
  } catch (error) {
    // The response of the commit may have been lost: rollBack rolls a committed write forward.
    const outcome = await rollBack({ table }, plan.name, write).catch((cause: unknown) => {
      log.warn({ err: cause }, 'rolling back a large write failed: a background task retries it');
      return 'unknown' as const;
    });
    if (outcome !== 'rolledForward') throw error;
    return attempt.plan;
  }
  // The write is committed: if rolling forward fails, a background task does it later.
  await rollForward({ table }, plan.name, write).catch((cause: unknown) => {
    log.warn(
      { err: cause },
      'completing a committed large write failed: a background task retries it',
    );
  });
  return attempt.plan;
}

/** Marks the entity, or creates a placeholder for it, and writes the intent record. */
async function begin(
  { before, ...options }: StagedWriteOptions,
  { name }: WritePlan,
  write: string,
): Promise<void> {
  const onlyIf = unchangedSince(before);
  const mark: Write =
    before === undefined
      ? { put: placeholder(name, { write }), onlyIf }
      : { update: entityKey(name), set: { staging: write, writeId: write }, onlyIf };
  const intentRecord: Write = { put: { ...stagedWriteKey(name, write), at: Date.now() } };
  try {
    await transact(options, [mark, intentRecord]);
  } catch (error) {
    if (error instanceof ConditionFailed) throw new WriteConflict();
    // The item may be too large for the mark.
    throw error instanceof ItemRejected ? itemProblem(error) : error;
  }
}

async function stage(
  options: TransactOptions,
  plan: WritePlan,
  relations: readonly RelationPlan[],
  write: string,
): Promise<void> {
  const own: Write = { check: entityKey(plan.name), onlyIf: equal('staging', write) };
  const rows: Write[] = relations.map((relation) => ({
    put: relationItem({
      from: plan.name,
      to: relation.to,
      relations: relation.before?.relations ?? [],
      at: sinceOf(relation),
      incarnation: relation.before?.incarnation,
      attributes: relation.before?.attributes,
      staged: {
        write,
        relations: relation.names,
        incarnation: relation.incarnation,
        attributes: relation.attributes,
      },
    }),
  }));
  const checks = targetChecks(plan, relations);
  try {
    await transact(options, [own, ...rows, ...checks]);
  } catch (error) {
    throw toProblem(error, plan, { own: 0, checksFrom: 1 + rows.length, checks });
  }
}

/** An attempt to commit the staged write; scores written since the entity was marked are kept. */
interface CommitAttempt {
  plan: WritePlan;
  /** Of the stored entity. */
  writeId: string;
  /** Attempts before. */
  renewals: number;
}

/** @returns the next attempt, where a score was written meanwhile; undefined: it is committed */
async function commitStaged(
  options: TransactOptions,
  attempt: CommitAttempt,
  write: string,
): Promise<CommitAttempt | undefined> {
  const { plan, writeId } = attempt;
  const own = plan.own ?? placeholder(plan.name, {});
  const item = { ...own, settles: write, ...(plan.own === undefined && { writeId: ulid() }) };
  const onlyIf = allOf(equal('writeId', writeId), equal('staging', write));
  const unique = uniqueWrites(plan.unique);
  const writes = [{ put: item, onlyIf }, ...plan.rows, ...unique, ...layoutChecks(plan)];
  try {
    refuseTooLarge(writes);
    await transact(options, writes);
    return undefined;
  } catch (error) {
    if (error instanceof ItemRejected) throw itemProblem(error);
    if (!(error instanceof ConditionFailed)) throw error;
    if (!error.failed.includes(0)) {
      throw notUnique(error, plan.unique, 1 + plan.rows.length) ?? new WriteConflict();
    }
    return renewedAttempt(attempt, error.items.get(0), write);
  }
}

/** @throws WriteConflict where the entity was changed by more than scores, or too often */
function renewedAttempt(
  { plan, writeId, renewals }: CommitAttempt,
  item: Document | undefined,
  write: string,
): CommitAttempt {
  const stored = item && parseEntity(item);
  const isScored = stored?.staging === write && stored.writeId !== writeId;
  if (item === undefined || !isScored || plan.replan === undefined || renewals >= maxRenewals) {
    throw new WriteConflict();
  }
  const { replan } = plan;
  return { plan: { ...replan(item), replan }, writeId: stored.writeId, renewals: renewals + 1 };
}

/** Staging may outlast TYPE_SETTLE_MS: an entity of an old layout would be missing in the type's new searches. */
function layoutChecks({ name, own }: WritePlan): Write[] {
  const layout = own?.['layout'];
  if (layout === undefined || own?.['gone'] === true) return [];
  return [{ check: entityTypeKey(name.type), onlyIf: equal('layout', layout) }];
}

/** The own item of an entity that does not exist yet, while rows of it are staged. */
function placeholder(name: WritePlan['name'], { write }: { write?: string | undefined }) {
  const entity: Entity = {
    ...name,
    attributes: new Map(),
    one: new Map(),
    createdAt: 0,
    updatedAt: 0,
    version: 0,
    layout: 0,
    writeId: write ?? '',
    staging: write,
    gone: true,
  };
  return entityItem(entity, { shards: 1 });
}
