import { randomUUID } from 'node:crypto';
import { Problem } from '@engawa/errors';
import { inParallel } from '@engawa/http';
import { entityListFamily, entityListPartition, entityTypeKey, parseKey } from '@engawa/keys';
import { keyOf, parseEntityType } from '@engawa/model';
import { ConditionFailed, equal } from '@engawa/table';
import { parseBuild } from './build.ts';
import { claimBuild, releaseBuild, saveProgress } from './build-claim.ts';
import { pendingSteps } from '../../migrations/present-entity.ts';
import { markChange } from '../known/types-mark.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, EntityType } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { TaskHandler, TaskResult } from '../../tasks/task-runner.ts';
import type { Build, BuildProgress } from './build.ts';
import type { ClaimedBuild } from './build-claim.ts';
import type { TypesMemory } from '../known/known-types.ts';

export { buildKind } from './build.ts';

export interface BuildTypeOptions {
  table: Table;
  shards: Shards;
  types: TypesMemory;
  entities: { rebuild: (name: EntityName, type: EntityType) => Promise<void> };
  /** TYPE_SETTLE_MS. */
  quiescenceMs: number;
  log: Logger;
}

/** Entities between two saves of the progress; a restart repeats at most this number. */
const pageSize = 100;
const maxParallelWrites = 8;
/** Retry delay for entities that cannot be rewritten. */
const retryRefusedMs = 60_000;
const maxExamples = 5;
/** Entities between two log lines. */
const entitiesPerLogLine = 10_000;

/**
 * Rewrites the entities of a changed type, then marks its layout as built. It begins after TYPE_SETTLE_MS, when no
 * write with the previous declaration is running any more. A further change of the type is another task, which
 * processes all entities again; this one then ends.
 */
export function buildType(options: BuildTypeOptions): TaskHandler {
  const { table, quiescenceMs } = options;
  const by = randomUUID();
  return async (task, signal) => {
    const settledIn = parseBuild(task.item).changedAt + quiescenceMs - Date.now();
    if (settledIn > 0) return { retryMs: Math.min(settledIn, quiescenceMs) };
    const claimed = await claimBuild(table, { key: task.key, by });
    if (claimed === undefined) return 'done';
    if ('retryMs' in claimed) return claimed;
    try {
      return await buildEntities(options, claimed, signal);
    } catch (error) {
      // So that the next replica need not wait for the claim to expire.
      await releaseBuild(table, claimed).catch(() => undefined);
      throw error;
    }
  };
}

async function buildEntities(
  options: BuildTypeOptions,
  claimed: ClaimedBuild,
  signal: AbortSignal,
): Promise<TaskResult> {
  const { table, shards, log } = options;
  const { build } = claimed;
  let progress = build.progress;
  for (;;) {
    const item = await table.get(entityTypeKey(build.type), { consistent: true, signal });
    const type = item && parseEntityType(item);
    if (type?.layout !== build.layout || type.built >= build.layout) return 'done';
    const { done } = progress;
    const next = await buildPage(options, { type, progress, signal });
    if (Math.floor(next.done / entitiesPerLogLine) > Math.floor(done / entitiesPerLogLine)) {
      log.info({ type: build.type, done: next.done }, 'building search indexes of an entity type');
    }
    if (!(await saveProgress(table, { ...claimed, progress: next }))) return 'later';
    // The number of shards may have grown; an entity that moved was written with the current declaration already.
    const count = await shards.toRead(entityListFamily(build.type));
    progress = next;
    if (next.shard >= count) return await endBuild(options, claimed, { type, progress });
  }
}

/**
 * If a migration is pending, the build is retried until all entities are rewritten; else refused entities stay out of
 * the index.
 */
async function endBuild(
  options: BuildTypeOptions,
  claimed: ClaimedBuild,
  { type, progress }: { type: EntityType; progress: BuildProgress },
): Promise<TaskResult> {
  const { refused } = progress;
  if (refused === undefined || pendingSteps(type).length === 0) {
    await finish(options, claimed.build);
    return 'done';
  }
  options.log.warn(
    { type: type.name, refused },
    'entity-type change is waiting for entities to be migrated',
  );
  await saveProgress(options.table, { ...claimed, progress: { done: 0, shard: 0, refused } });
  await releaseBuild(options.table, claimed);
  return { retryMs: retryRefusedMs };
}

interface BuildPage {
  type: EntityType;
  progress: BuildProgress;
  signal: AbortSignal;
}

/** @returns the progress after the page */
async function buildPage(
  { table, entities, log }: BuildTypeOptions,
  { type, progress: { done, shard, after, refused: before }, signal }: BuildPage,
): Promise<BuildProgress> {
  let refused = done === 0 ? undefined : before;
  const page = await table.query({
    index: 'gsi1',
    pk: entityListPartition(shard, type.name),
    ...(after && { after }),
    limit: pageSize,
    signal,
  });
  await inParallel(namesOf(page.items, signal), maxParallelWrites, async (name) => {
    try {
      await entities.rebuild(name, type);
    } catch (error) {
      // An entity whose rows do not fit must not block the others.
      if (!(error instanceof Problem && error.code === 'invalid-request')) throw error;
      log.warn(
        { entity: name, err: error },
        'entity does not fit its type: left out of the full-text index',
      );
      refused = withRefused(refused, { id: name.id, reason: error.message });
    }
  });
  const progress = { done: done + page.items.length, ...(refused && { refused }) };
  return page.next === undefined
    ? { ...progress, shard: shard + 1 }
    : { ...progress, shard, after: page.next };
}

function withRefused(
  refused: BuildProgress['refused'],
  example: { id: string; reason: string },
): BuildProgress['refused'] {
  const { count = 0, examples = [] } = refused ?? {};
  return { count: count + 1, examples: [...examples, example].slice(0, maxExamples) };
}

function* namesOf(items: readonly Document[], signal: AbortSignal): Generator<EntityName> {
  for (const item of items) {
    signal.throwIfAborted();
    const key = parseKey(keyOf(item));
    if (key.item === 'entity') yield { type: key.type, id: key.id };
  }
}

/** Marks the layout as built, in one transaction; does nothing where the type has changed meanwhile. */
async function finish({ table, types, log }: BuildTypeOptions, build: Build): Promise<void> {
  const { type, layout } = build;
  try {
    await table.transact([
      { update: entityTypeKey(type), set: { built: layout }, onlyIf: equal('layout', layout) },
      markChange(),
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed) return;
    throw error;
  }
  log.info({ type, layout }, 'search indexes of an entity type are complete');
  await types.changed();
}
