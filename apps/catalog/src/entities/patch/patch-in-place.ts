import { isDeepStrictEqual } from 'node:util';
import { Problem } from '@engawa/errors';
import { entityKey } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { absent, allOf, ConditionFailed, equal, ItemRejected } from '@engawa/table';
import { ulid } from 'ulid';
import { isMade, isNotMade, markField, staleMarks } from '../write/addition-marks.ts';
import { isExpired } from '../items/expiry-time.ts';
import { Addition, changedValue } from '../content/attribute-changes.ts';
import { isNotExpired, isNotLater, isPlain } from './in-place-conditions.ts';
import { hasAll, hasPlaces, isBlind, isOther, updateOf } from './in-place-update.ts';
import { hasAddition } from '../content/check-changes.ts';
import { refused } from '../write/commit.ts';
import { refuseUnmet, storedCondition } from '../content/conditions.ts';
import { isSameRevision } from '../read/expected-entity.ts';
import { automaticAttributes, withoutUnconverted } from '../write/next-entity.ts';
import { storedValue } from '../../values/stored-value.ts';
import { rankPartition } from '../items/rank-key.ts';
import { ValueFault } from '../../values/value-error.ts';
import type { Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Condition, Shards, Table } from '@engawa/table';
import type { AdditionMark, Additions } from '../write/addition-marks.ts';
import type { AttributeChange } from '../content/attribute-changes.ts';
import type { AttributeChanges } from './in-place-update.ts';
import type { Changes } from '../content/check-changes.ts';

export interface BlindPatch {
  name: EntityName;
  changes: Changes;
  /** Only as long as it is this one. */
  revision: Revision | undefined;
  /** That of the type by which the changes were checked. */
  layout?: number | undefined;
}

/** Times that a clock that is ahead may be met. */
const maxAttempts = 3;
/** Times that a score is read before another replica changes it. */
const maxScoreAttempts = 20;

interface PatchBlindlyOptions {
  table: Table;
  type: EntityType;
  shards: Shards;
  additions: Additions;
  /** The wall clock by which entities expire (epoch milliseconds). */
  now: () => number;
}

/** One update, and what it goes by. */
interface Attempt {
  patch: BlindPatch;
  /** The changes, of which an addition to a score is its sum. */
  attributes: AttributeChanges;
  /** What that sum was made of. */
  scored: Condition[];
  mark: AdditionMark | undefined;
  now: number;
}

/**
 * Changes attributes without having read the entity, in one UpdateItem, where no other item depends on them: no search, no
 * text, no unique attribute, no ranking but the type's own, whose index key is on the entity's item. So a score costs one request, and any number
 * of writers never conflict. What is added to such a score is read before: its index key is made of the sum.
 * @returns the entity as it is now; undefined where it cannot be done so, and nothing was written
 * @throws Problem `condition-failed`
 */
export async function patchBlindly(
  options: PatchBlindlyOptions,
  patch: BlindPatch,
): Promise<Entity | undefined> {
  const { table, type } = options;
  const { name, changes } = patch;
  const { attributes } = changes;
  if (!isBlind(type, changes, withAutomatic(type, attributes, 0))) return undefined;
  const score = scoreAddition(type, attributes);
  let now = Date.now();
  let there = score && (await readOwn(table, name));
  if (score !== undefined && (there === undefined || there.gone === true)) return undefined;
  for (let attempt = 1; attempt <= (score ? maxScoreAttempts : maxAttempts); attempt++) {
    const mark = hasAddition(changes) ? options.additions.next() : undefined;
    const resolved = resolve(attributes, score, there);
    if (resolved === undefined) return undefined;
    const outcome = await attemptPatch(options, { patch, ...resolved, mark, now });
    if (outcome.entity !== undefined || outcome.there === undefined) return outcome.entity;
    const isScored = score !== undefined && isScoreOther(score, there, outcome.there);
    there = outcome.there;
    // The clock of another replica is ahead. Never backwards: readers of changes go by it.
    if (there.updatedAt <= now && !isScored) return undefined;
    now = Math.max(Date.now(), there.updatedAt + 1);
  }
  return undefined;
}

/** @returns the entity as the patch wants it, or as it is where that cannot be done so; nothing where it may not be tried */
async function attemptPatch(
  options: PatchBlindlyOptions,
  attempt: Attempt,
): Promise<{ entity?: Entity; there?: Entity }> {
  const { table, type, shards } = options;
  const { patch, attributes, scored, mark, now } = attempt;
  const { name, changes, revision } = patch;
  const writeId = ulid();
  const all = withAutomatic(type, attributes, now);
  const update = updateOf({ type, shards, name, attributes: all });
  try {
    const item = await table.update(entityKey(name), {
      ...update,
      set: { ...update.set, writeId, ...(mark && { [markField(mark)]: mark.id }) },
      setInside: [...update.setInside, { path: ['data', 'updatedAt'], value: now }],
      add: { version: 1 },
      onlyIf: allOf(
        ...[isPlain(type, revision), isNotLater(now), ...hasPlaces(type, attributes), ...scored],
        ...isNotExpired(type, options.now()),
        ...isOther(type, changes.attributes),
        ...changes.conditions.map((condition) => storedCondition(type, condition)),
        ...(mark === undefined ? [] : [isNotMade(mark)]),
      ),
    });
    const entity = parseEntity(item);
    await moveToShard({ table, type, shards }, { item, entity, attributes });
    return { entity: await withoutStale(table, entity, now) };
  } catch (error) {
    // Too many digits, or a text that was there before the type said that it is a number: the sum is made here, which tells.
    if (error instanceof ItemRejected && error.reason === 'invalid' && mark !== undefined)
      return {};
    if (error instanceof ItemRejected) throw refused(error);
    if (!(error instanceof ConditionFailed)) throw error;
    const there = error.item === undefined ? undefined : parseEntity(error.item);
    if (there === undefined) return {};
    // The answer to it may have been lost, and this be its repetition.
    if (there.writeId === writeId) return { entity: there };
    if (mark !== undefined && isMade(there, mark)) return { entity: there };
    if (there.gone === true || there.layout !== type.layout) return {};
    if (isExpired(type, there, options.now())) return {};
    const isMeant = revision === undefined || isSameRevision(there, revision);
    if (!isMeant) return {};
    refuseUnmet(changes.conditions, there);
    // What could not be converted of an attribute goes with its row.
    if (withoutUnconverted(there, changes.attributes) !== there) return {};
    return hasAll(there, changes.attributes) ? { entity: there } : { there };
  }
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

interface Score {
  attribute: string;
  addition: Addition;
}

/** What is added to the number that the type's own ranking orders by. */
function scoreAddition(type: EntityType, attributes: AttributeChanges): Score | undefined {
  const own = type.rankings.find(({ name }) => name === type.ownRanking);
  if (own === undefined) return undefined;
  const { attribute } = own;
  const addition = attributes.get(attribute);
  return addition instanceof Addition ? { attribute, addition } : undefined;
}

/** The changes with the score in place of what is added to it. @returns undefined where it cannot be added to */
function resolve(
  attributes: AttributeChanges,
  score: Score | undefined,
  there: Entity | undefined,
) {
  if (score === undefined) return { attributes, scored: [] };
  const { attribute, addition } = score;
  const before = there?.attributes.get(attribute);
  try {
    const sum = changedValue(before, addition) ?? null;
    const path = ['data', 'attributes', attribute];
    const isStill = before === undefined ? absent(path) : equal(path, storedValue(before));
    return { attributes: new Map([...attributes, [attribute, sum]]), scored: [isStill] };
  } catch (error) {
    if (error instanceof ValueFault) return undefined;
    throw error;
  }
}

function isScoreOther({ attribute }: Score, before: Entity | undefined, now: Entity): boolean {
  return !isDeepStrictEqual(before?.attributes.get(attribute), now.attributes.get(attribute));
}

async function readOwn(table: Table, name: EntityName): Promise<Entity | undefined> {
  const item = await table.get(entityKey(name), { consistent: true });
  return item && parseEntity(item);
}

/** Clears away the marks of processes that ended long ago, once there are many. */
async function withoutStale(table: Table, entity: Entity, now: number): Promise<Entity> {
  const stale = staleMarks(entity, now);
  if (stale.length === 0) return entity;
  const onlyIf = allOf(...stale.map((mark) => equal(markField(mark), mark.id)));
  // Another process may be first; and what is left is cleared away with the next addition.
  const change = { remove: stale.map(markField), onlyIf };
  await table.update(entityKey(entity), change).catch(() => undefined);
  return entity;
}

/**
 * Who does not know the parent leaves the entity in the shard that it is in. Where the ranking has more of them by now, it is
 * moved by one more request, once: what makes a ranking hot are scores that change.
 */
async function moveToShard(
  { table, type, shards }: Pick<PatchBlindlyOptions, 'table' | 'type' | 'shards'>,
  { item, entity, attributes }: { item: Document; entity: Entity; attributes: AttributeChanges },
): Promise<void> {
  const own = type.rankings.find(({ name }) => name === type.ownRanking);
  if (own?.within === undefined || !attributes.has(own.attribute)) return;
  const [there, wanted] = [item['gsi2pk'], rankPartition(own, entity, shards)];
  if (there === undefined || wanted === undefined || there === wanted) return;
  try {
    const onlyIf = equal('gsi2pk', there);
    await table.update(entityKey(entity), { set: { gsi2pk: wanted }, onlyIf });
  } catch (error) {
    // By now it is somewhere else, or gone. Whatever failed, the score is written, and every shard is asked.
    if (!(error instanceof ConditionFailed || error instanceof Problem)) throw error;
  }
}
