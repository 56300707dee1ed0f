import { entityKey, entityTypeKey } from '@engawa/keys';
import { entityItem, parseEntity, relationItem } from '@engawa/model';
import { allOf, ConditionFailed, equal, ItemRejected, maxTransactionWrites } from '@engawa/table';
import { ulid } from 'ulid';
import {
  Overtaken,
  refused,
  refuseTooLarge,
  targetChecks,
  translate,
  unchangedSince,
} from '../write/commit.ts';
import { sinceOf } from '../write/write-plan.ts';
import { rollBack, rollForward, stagedWriteKey } from './roll-forward.ts';
import { transact } from '../write/transact.ts';
import { notUnique, uniqueWrites } from '../items/unique-values.ts';
import type { Entity } from '@engawa/model';
import type { Write } from '@engawa/table';
import type { Logger } from 'pino';
import type { Plan, RelationPlan } from '../write/write-plan.ts';
import type { TransactOptions } from '../write/transact.ts';

export interface StagedWriteOptions extends TransactOptions {
  log: Logger;
  /** As it was read; undefined where it was not there. */
  before: Entity | undefined;
}

/** Scores that a decision gives way to: one each 10 ms for a second, and one that is in time in between. */
const maxRenewals = 100;

/** Of one transaction: a check of the entity, and for each relation its row and a check of where it leads. */
const relationsAtOnce = Math.floor((maxTransactionWrites - 1) / 2);

/**
 * A plan that is too large for one transaction, with nothing of it visible before all of it is (docs/adr/0020): the relation
 * rows are staged first, one transaction at a time; then the entity's own item, written with its other rows, says that what
 * is staged counts; at last the rows are made what they count for. Cut off at any point, another replica ends it.
 * @throws Overtaken, Problem `related-entity-not-found`, `not-unique`: then nothing of it is left
 */
export async function stagedWrite(options: StagedWriteOptions, plan: Plan): Promise<void> {
  const { table, log } = options;
  const write = ulid();
  await begin(options, plan, write);
  try {
    for (let start = 0; start < plan.relations.length; start += relationsAtOnce) {
      await stage(options, plan, plan.relations.slice(start, start + relationsAtOnce), write);
    }
    await decide(options, plan, write);
  } catch (error) {
    // Should the answer to the decision have been lost, this ends it one way or the other.
    const outcome = await rollBack({ table }, plan.name, write).catch((cause: unknown) => {
      log.warn({ err: cause }, 'staged write: cleanup postponed');
      return 'unknown' as const;
    });
    if (outcome !== 'settled') throw error;
    return;
  }
  // What it is has been decided: should this not come to its end now, it does so later.
  await rollForward({ table }, plan.name, write).catch((cause: unknown) => {
    log.warn({ err: cause }, 'staged write: completion postponed');
  });
}

/** Marks the entity, or makes a placeholder for it, and leaves a note for who has to end it. */
async function begin(
  { before, ...options }: StagedWriteOptions,
  { name }: Plan,
  write: string,
): Promise<void> {
  const onlyIf = unchangedSince(before);
  const mark: Write =
    before === undefined
      ? { put: placeholder(name, { write }), onlyIf }
      : { update: entityKey(name), set: { staging: write, writeId: write }, onlyIf };
  const note: Write = { put: { ...stagedWriteKey(name, write), at: Date.now() } };
  try {
    await transact(options, [mark, note]);
  } catch (error) {
    if (error instanceof ConditionFailed) throw new Overtaken();
    // There may be just no room for the mark.
    throw error instanceof ItemRejected ? refused(error) : error;
  }
}

async function stage(
  options: TransactOptions,
  plan: Plan,
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
    throw translate(error, plan, { own: 0, checksFrom: 1 + rows.length, checks });
  }
}

/** The moment in which the entity becomes what was planned; scores that were written since it was marked are kept. */
async function decide(options: TransactOptions, plan: Plan, write: string): Promise<void> {
  let current = plan;
  let writeId = write;
  for (let renewals = 0; ; renewals++) {
    const own = current.own ?? placeholder(plan.name, {});
    const item = { ...own, settles: write, ...(current.own === undefined && { writeId: ulid() }) };
    const onlyIf = allOf(equal('writeId', writeId), equal('staging', write));
    const unique = uniqueWrites(current.unique);
    const writes = [{ put: item, onlyIf }, ...current.rows, ...unique, ...layoutChecks(current)];
    try {
      refuseTooLarge(writes);
      await transact(options, writes);
      return;
    } catch (error) {
      if (error instanceof ItemRejected) throw refused(error);
      if (!(error instanceof ConditionFailed)) throw error;
      if (!error.failed.includes(0)) {
        throw notUnique(error, current.unique, 1 + current.rows.length) ?? new Overtaken();
      }
      const item = error.items.get(0);
      const there = item && parseEntity(item);
      const isScored = there?.staging === write && there.writeId !== writeId;
      const mayRenew = isScored && renewals < maxRenewals;
      if (item === undefined || plan.renew === undefined || !mayRenew) throw new Overtaken();
      current = plan.renew(item);
      writeId = there.writeId;
    }
  }
}

/** Staging may take longer than a type gives its writers: one made under what it was would be found by nothing new. */
function layoutChecks({ name, own }: Plan): Write[] {
  const layout = own?.['layout'];
  if (layout === undefined || own?.['gone'] === true) return [];
  return [{ check: entityTypeKey(name.type), onlyIf: equal('layout', layout) }];
}

/** What stands for an entity that is not there, as long as rows of it are. */
function placeholder(name: Plan['name'], { write }: { write?: string | undefined }) {
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
