import { purgeJobPartition } from '@engawa/keys';
import { purgeDevice } from './purge-device.ts';
import { purgePlace, purgeRoom } from './purge-location.ts';
import { endPurgeJob, parsePurgeJob } from './purge-job.ts';
import { ClaimLost, PurgeClaim } from './purge-claim.ts';
import type { Document } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { PlacementStore } from '../placements/placement-store.ts';
import type { PurgeLocationOptions } from './purge-location.ts';
import type { PurgeJob } from './purge-job.ts';

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

/** Concurrent purge jobs. */
const maxConcurrent = 4;
/** Delay before a failed purge job is retried. */
const retryMs = 5000;
/** Deleted items per progress line in the log. */
const itemsUntilLogged = 100_000;

/**
 * Purges the data of deleted devices, places and rooms. Pending jobs are in the table: after a
 * crash at any point, another replica, or this one after its next start, repeats the job from its
 * beginning; items that were deleted already are not found again (docs/adr/0043).
 */
export class PurgeRunner {
  readonly #options: PurgeRunnerOptions;
  readonly #closing = new AbortController();
  /** By deletion, not by id: an id may be deleted again as soon as its purge job has ended. */
  readonly #waiting = new Map<string, PurgeJob>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #delayed = new Map<string, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PurgeRunnerOptions) {
    this.#options = options;
  }

  /** Resolves after the first read of pending purge jobs, even if it failed. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#look(), this.#options.intervalMs);
    await this.#look();
  }

  /** Starts the job now, or as soon as a running job has ended. */
  begin(job: PurgeJob): void {
    const { deletion } = job;
    const isKnown = this.#underWay.has(deletion) || this.#delayed.has(deletion);
    if (this.#closing.signal.aborted || isKnown) return;
    this.#waiting.set(deletion, job);
    this.#next();
  }

  /** Resolves when no purge job runs any more; unfinished jobs stay pending. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    this.#waiting.clear();
    for (const timer of this.#delayed.values()) clearTimeout(timer);
    await Promise.all(this.#underWay.values());
  }

  async #look(): Promise<void> {
    const { signal } = this.#closing;
    try {
      let after: PageKey | undefined;
      do {
        const question = { pk: purgeJobPartition, ...(after && { after }), signal };
        const page = await this.#options.table.query(question);
        for (const item of page.items) this.#beginAgain(item);
        after = page.next;
      } while (after !== undefined);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.log.warn({ err: error }, 'reading pending purge jobs failed; retrying later');
    }
  }

  /** Skips jobs of a newer release. */
  #beginAgain(item: Document): void {
    try {
      this.begin(parsePurgeJob(item));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'purge job is unreadable');
    }
  }

  #next(): void {
    for (const [deletion, job] of this.#waiting) {
      if (this.#underWay.size === maxConcurrent) return;
      this.#waiting.delete(deletion);
      const work = this.#work(job).then((againAt) => {
        this.#underWay.delete(deletion);
        if (againAt !== undefined) this.#beginAt(againAt, job);
        this.#next();
      });
      this.#underWay.set(deletion, work);
    }
  }

  /** @returns when to retry (epoch milliseconds), if the job has not ended */
  async #work(job: PurgeJob): Promise<number | undefined> {
    const { table } = this.#options;
    const log = this.#options.log.child({ erasure: job.subject });
    const { signal } = this.#closing;
    const begunAt = Date.now();
    const progress = new PurgeProgress(log);
    let claim: PurgeClaim | undefined;
    try {
      claim = await PurgeClaim.take(table, job);
      if (claim === undefined) return undefined;
      const keepClaim = claim.keep.bind(claim);
      await purge({ ...this.#options, signal, keepClaim, erased: progress.add }, job);
      progress.end();
      const settledAt = job.deletedAt + this.#quiescenceMsOf(job);
      if (begunAt < settledAt) return settledAt;
      await endPurgeJob(table, job);
      claim = undefined;
      return undefined;
    } catch (error) {
      if (signal.aborted || error instanceof ClaimLost) return undefined;
      log.warn({ err: error, items: progress.items }, 'purge job failed; retrying');
      return Date.now() + retryMs;
    } finally {
      await claim?.release().catch(() => undefined);
    }
  }

  /**
   * Only devices need a quiescence time: writes to places and rooms are conditional on their
   * existence, readings are not.
   */
  #quiescenceMsOf({ subject }: PurgeJob): number {
    return subject.kind === 'DEVICE' ? this.#options.quiescenceMs : 0;
  }

  #beginAt(time: number, job: PurgeJob): void {
    const { deletion } = job;
    const begin = () => {
      this.#delayed.delete(deletion);
      this.begin(job);
    };
    const timer = setTimeout(begin, Math.max(0, time - Date.now()));
    if (this.#closing.signal.aborted) clearTimeout(timer);
    else this.#delayed.set(deletion, timer);
  }
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
    if (isDue) this.#log.info({ items: this.items }, 'erasing');
  };

  end(): void {
    if (this.items > 0) this.#log.info({ items: this.items }, 'purge job completed');
  }
}

function purge(options: PurgeLocationOptions, { subject, deletedAt }: PurgeJob): Promise<void> {
  switch (subject.kind) {
    case 'DEVICE':
      return purgeDevice(options, { ...subject, deletedAt });
    case 'PLACE':
      return purgePlace(options, subject.place);
    case 'ROOM':
      return purgeRoom(options, subject);
  }
}
