import {
  purgeJobPartition,
  blockRange,
  correctionAndRowPrefix,
  deviceMembershipsPartition,
  devicePartition,
  earliestInstant,
  rollupPrefix,
} from '@engawa/keys';
import { DurableTasks } from '@engawa/table';
import { purgePlace, purgeRoom } from './purge-location.ts';
import { endPurgeJob, parsePurgeJob } from './purge-job.ts';
import { ClaimLost, PurgeClaim } from './purge-claim.ts';
import { purgeFound } from './purge-found.ts';
import type { Table, TaskOutcome } from '@engawa/table';
import type { Logger } from 'pino';
import type { PlacementStore } from '../placements/placement-store.ts';
import type { PurgeLocationOptions } from './purge-location.ts';
import type { PurgeJob } from './purge-job.ts';
import type { ParsedKey } from '@engawa/keys';
import type { PurgeOptions } from './purge-found.ts';

export interface PurgeRunnerOptions {
  table: Table;
  placements: PlacementStore;
  log: Logger;
  /** Interval between reads of pending purge jobs. */
  intervalMs: number;
  /**
   * Time from the deletion of a device to the last purge of its readings: readings that were in
   * flight at the deletion are stored by then.
   */
  quiescenceMs: number;
}

/** Delay before a failed purge job is retried. */
const retryMs = 5000;
/** Deleted items per progress line in the log. */
const itemsUntilLogged = 100_000;

export type PurgeRunner = DurableTasks<PurgeJob>;

/**
 * Purges the data of deleted devices, places and rooms. A job that was interrupted is repeated from
 * its beginning: items that were deleted already are not found again (docs/adr/0043).
 */
export function purgeRunner(options: PurgeRunnerOptions): PurgeRunner {
  const { table, log, intervalMs } = options;
  return new DurableTasks({
    table,
    partition: purgeJobPartition,
    parse: parsePurgeJob,
    // By deletion, not by id: an id may be deleted again as soon as its purge job has ended.
    idOf: ({ deletion }) => deletion,
    run: (job, signal) => run(options, job, signal),
    intervalMs,
    log,
  });
}

async function run(
  options: PurgeRunnerOptions,
  job: PurgeJob,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const { table } = options;
  const log = options.log.child({ purge: job.target });
  const begunAt = Date.now();
  const progress = new PurgeProgress(log);
  let claim: PurgeClaim | undefined;
  try {
    claim = await PurgeClaim.take(table, job);
    if (claim === undefined) return undefined;
    const keepClaim = claim.keep.bind(claim);
    await purge({ ...options, signal, keepClaim, onDeleted: progress.add }, job);
    progress.end();
    const quiescentAt = job.deletedAt + quiescenceMsOf(job, options);
    if (begunAt < quiescentAt) return { retryMs: Math.max(0, quiescentAt - Date.now()) };
    await endPurgeJob(table, job);
    claim = undefined;
    return undefined;
  } catch (error) {
    if (signal.aborted || error instanceof ClaimLost) return undefined;
    log.warn({ err: error, items: progress.items }, 'purge job failed; retrying');
    return { retryMs };
  } finally {
    await claim?.release().catch(() => undefined);
  }
}

/**
 * Only devices need a quiescence time: writes to places and rooms are conditional on their
 * existence, readings are not.
 */
function quiescenceMsOf({ target }: PurgeJob, { quiescenceMs }: PurgeRunnerOptions): number {
  return target.kind === 'DEVICE' ? quiescenceMs : 0;
}

/** Counts and logs the progress of one purge job. */
class PurgeProgress {
  readonly #log: Logger;
  items = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  readonly add = (items: number): void => {
    const before = this.items;
    this.items += items;
    const isDue = Math.floor(this.items / itemsUntilLogged) > Math.floor(before / itemsUntilLogged);
    if (isDue) this.#log.info({ items: this.items }, 'purging');
  };

  end(): void {
    if (this.items > 0) this.#log.info({ items: this.items }, 'purge job completed');
  }
}

function purge(options: PurgeLocationOptions, { target, deletedAt }: PurgeJob): Promise<void> {
  switch (target.kind) {
    case 'DEVICE':
      return purgeDevice(options, { ...target, deletedAt });
    case 'PLACE':
      return purgePlace(options, target.place);
    case 'ROOM':
      return purgeRoom(options, target);
  }
}

interface DeviceRemains {
  id: string;
  shards: number;
  deletedAt: number;
}

/**
 * Purges the readings of a deleted device that are older than the deletion, their rollups and
 * sketches, its corrections and its history. Readings first: a rollup that query makes meanwhile,
 * of remaining readings, is deleted after them. Newer readings are kept.
 */
async function purgeDevice(
  options: PurgeOptions,
  { id, shards, deletedAt }: DeviceRemains,
): Promise<void> {
  const consistent = true;
  for (let shard = 0; shard < shards; shard++) {
    const sk = blockRange(earliestInstant, deletedAt + 1);
    await purgeFound(options, { pk: devicePartition(id, shard), sk, consistent });
  }
  const rollups = { pk: devicePartition(id), sk: { beginsWith: rollupPrefix }, consistent };
  const isOlder = (key: ParsedKey) => key.item === 'rollup' && key.start <= deletedAt;
  await purgeFound(options, rollups, isOlder);
  const corrections = { beginsWith: correctionAndRowPrefix };
  await purgeFound(options, { pk: devicePartition(id), sk: corrections, consistent });
  const pk = deviceMembershipsPartition(id);
  await purgeFound(options, { index: 'gsi1', pk, sk: { beginsWith: 'MEMBER#' } });
}
