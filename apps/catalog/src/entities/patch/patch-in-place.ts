import { Problem } from '@engawa/errors';
import { entityKey } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { allOf, ConditionFailed, equal, ItemRejected } from '@engawa/table';
import { ulid } from 'ulid';
import { isApplied, isNotApplied, markField, staleMarks } from '../write/additions.ts';
import { isExpired } from '../items/expiry-time.ts';
import { isNotExpired, isNotLater, isSamePeriod, isUpToDate } from './in-place-conditions.ts';
import {
  hasChanges,
  hasParentMaps,
  fitsOneUpdate,
  changesAny,
  inPlaceUpdate,
} from './in-place-update.ts';
import { hasAddition } from '../content/check-changes.ts';
import { itemProblem } from '../write/commit.ts';
import { refuseUnmetConditions, storedCondition } from '../content/conditions.ts';
import { isSameRevision } from '../read/expected-entity.ts';
import { automaticAttributes, withoutUnconverted } from '../write/next-entity.ts';
import { isInParts, rankPartition } from '../items/rank-key.ts';
import { hasOtherScore, resolveScore, scoreAddition } from './score-addition.ts';
import type { Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Condition, Shards, Table } from '@engawa/table';
import type { AdditionMark, Additions } from '../write/additions.ts';
import type { AttributeChange } from '../content/attribute-changes.ts';
import type { AttributeChanges } from './in-place-update.ts';
import type { Changes } from '../content/check-changes.ts';

export interface EntityPatch {
  name: EntityName;
  changes: Changes;
  /** The revision that the client expects. */
  revision: Revision | undefined;
  /** Whether a missing entity is created. */
  upsert?: boolean | undefined;
  /** Layout of the type that the changes were validated against. */
  layout?: number | undefined;
}

/** Attempts where clocks of other writers are ahead. No delays: a read-modify-write follows, with its own budget. */
const maxAttempts = 3;
/** Attempts of an addition to a score that other replicas change. No delays: a failed attempt returns the new score. */
const maxScoreAttempts = 20;

interface PatchInPlaceOptions {
  table: Table;
  type: EntityType;
  shards: Shards;
  additions: Additions;
  /** The wall clock by which entities expire (epoch milliseconds). */
  now: () => number;
}

/** One UpdateItem. */
interface PatchAttempt {
  patch: EntityPatch;
  /** The changes; an addition to a score is replaced by the sum. */
  attributes: AttributeChanges;
  /** The condition that the score is still the one that was added to. */
  scoreCondition: Condition[];
  mark: AdditionMark | undefined;
  now: number;
}

/**
 * Changes attributes with one UpdateItem, without reading the entity first, where no other item depends on them: no
 * search, text, filter, unique attribute or ranking except the first, whose index key is on the entity's own item. So a
 * score costs one request, and concurrent writers do not conflict. An addition to a score reads it first, since its
 * index key is made of the sum.
 * @returns the changed entity; undefined where it cannot be changed this way, and nothing was written
 * @throws Problem `condition-failed`
 */
export async function patchInPlace(
  options: PatchInPlaceOptions,
  patch: EntityPatch,
): Promise<Entity | undefined> {
  const { table, type } = options;
  const { name, changes } = patch;
  const { attributes } = changes;
  if (!fitsOneUpdate(type, changes, withAutomatic(type, attributes, 0))) return undefined;
  const score = scoreAddition(type, attributes);
  let now = Date.now();
  let current = score && (await readEntityItem(table, name));
  if (score !== undefined && (current === undefined || current.gone === true)) return undefined;
  for (let attempt = 1; attempt <= (score ? maxScoreAttempts : maxAttempts); attempt++) {
    const mark = hasAddition(changes) ? options.additions.next() : undefined;
    const resolved = resolveScore(attributes, score, current);
    if (resolved === undefined) return undefined;
    const outcome = await attemptPatch(options, { patch, ...resolved, mark, now });
    if (outcome.kind === 'patched') return outcome.entity;
    if (outcome.kind === 'unfit') return undefined;
    const isScored = score !== undefined && hasOtherScore(score, current, outcome.current);
    current = outcome.current;
    // The clock of another replica is ahead; updatedAt must increase, since change feeds rely on it.
    if (current.updatedAt <= now && !isScored) return undefined;
    now = Math.max(Date.now(), current.updatedAt + 1);
  }
  return undefined;
}

/** What one UpdateItem came to. */
type PatchOutcome =
  | { kind: 'patched'; entity: Entity }
  /** Another writer came first, or its clock is ahead. */
  | { kind: 'conflict'; current: Entity }
  /** It needs a read-modify-write. */
  | { kind: 'unfit' };

const unfit: PatchOutcome = { kind: 'unfit' };

async function attemptPatch(
  options: PatchInPlaceOptions,
  attempt: PatchAttempt,
): Promise<PatchOutcome> {
  const { table, type, shards } = options;
  const { patch, attributes, scoreCondition, mark, now } = attempt;
  const { name, changes, revision } = patch;
  const writeId = ulid();
  const all = withAutomatic(type, attributes, now);
  const update = inPlaceUpdate({ type, shards, name, attributes: all });
  try {
    const item = await table.update(entityKey(name), {
      ...update,
      set: { ...update.set, writeId, ...(mark && { [markField(mark)]: mark.id }) },
      setInside: [...update.setInside, { path: ['data', 'updatedAt'], value: now }],
      add: { version: 1 },
      onlyIf: allOf(
        isUpToDate(type, revision),
        isNotLater(now),
        ...hasParentMaps(type, attributes),
        ...scoreCondition,
        ...isSamePeriod(type, all),
        ...isNotExpired(type, options.now()),
        ...changesAny(type, changes.attributes),
        ...changes.conditions.map((condition) => storedCondition(type, condition)),
        ...(mark === undefined ? [] : [isNotApplied(mark)]),
      ),
    });
    const entity = parseEntity(item);
    await moveToShard({ table, type, shards }, { item, entity, attributes });
    return { kind: 'patched', entity: await clearStaleMarks(table, entity, now) };
  } catch (error) {
    // Too many digits, or a stored text where the type now declares a number: the read-modify-write reports it.
    if (error instanceof ItemRejected && error.reason === 'invalid' && mark !== undefined)
      return unfit;
    if (error instanceof ItemRejected) throw itemProblem(error);
    if (!(error instanceof ConditionFailed)) throw error;
    const current = error.item && parseEntity(error.item);
    if (current === undefined) return unfit;
    // This may be the SDK's retry after a lost response.
    const isMarked = mark !== undefined && isApplied(current, mark);
    const isWritten = isMarked || current.writeId === writeId;
    return isWritten ? { kind: 'patched', entity: current } : unmetOutcome(options, patch, current);
  }
}

/** Why the entity, as it is now, did not meet the conditions. @throws Problem `condition-failed` */
function unmetOutcome(
  { type, now }: PatchInPlaceOptions,
  { changes, revision }: EntityPatch,
  current: Entity,
): PatchOutcome {
  const isOther = current.gone === true || current.layout !== type.layout;
  if (isOther || isExpired(type, current, now())) return unfit;
  if (revision !== undefined && !isSameRevision(current, revision)) return unfit;
  refuseUnmetConditions(changes.conditions, current);
  // An unconverted value is deleted together with its left-out row.
  if (withoutUnconverted(current, changes.attributes) !== current) return unfit;
  const isSame = hasChanges(current, changes.attributes);
  return isSame ? { kind: 'patched', entity: current } : { kind: 'conflict', current };
}

function withAutomatic(
  type: EntityType,
  attributes: AttributeChanges,
  updatedAt: number,
): AttributeChanges {
  return new Map<string, AttributeChange>([
    ...attributes,
    ...automaticAttributes(type, { updatedAt }),
  ]);
}

async function readEntityItem(table: Table, name: EntityName): Promise<Entity | undefined> {
  const item = await table.get(entityKey(name), { consistent: true });
  return item && parseEntity(item);
}

/** Deletes the marks of processes that ended long ago, once there are many. */
async function clearStaleMarks(table: Table, entity: Entity, now: number): Promise<Entity> {
  const stale = staleMarks(entity, now);
  if (stale.length === 0) return entity;
  const onlyIf = allOf(...stale.map((mark) => equal(markField(mark), mark.id)));
  // Best effort: another process may be first, and the next addition tries again.
  const change = { remove: stale.map(markField), onlyIf };
  await table.update(entityKey(entity), change).catch(() => undefined);
  return entity;
}

/**
 * The update does not know the parent or the period, so it keeps the entity's shard. If the ranking has more shards
 * now, one more request moves the entity, once: changing scores are what makes a ranking hot.
 */
async function moveToShard(
  { table, type, shards }: Pick<PatchInPlaceOptions, 'table' | 'type' | 'shards'>,
  { item, entity, attributes }: { item: Document; entity: Entity; attributes: AttributeChanges },
): Promise<void> {
  const own = type.rankings.find(({ name }) => name === type.ownRanking);
  if (own === undefined || !isInParts(own) || !attributes.has(own.attribute)) return;
  const [current, desired] = [item['gsi2pk'], rankPartition(own, entity, shards)];
  if (current === undefined || desired === undefined || current === desired) return;
  try {
    const onlyIf = equal('gsi2pk', current);
    await table.update(entityKey(entity), { set: { gsi2pk: desired }, onlyIf });
  } catch (error) {
    // Moved or deleted meanwhile. On any failure the score is written, and queries read every shard.
    if (!(error instanceof ConditionFailed || error instanceof Problem)) throw error;
  }
}
