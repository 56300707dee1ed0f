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
  /** Milliseconds between two reads of the purge jobs that are pending. */
  intervalMs: number;
  /**
   * Milliseconds from the deletion of a device until the last purge job of its readings begins: readings that were under way
   * when it was deleted are stored by then.
   */
  settleMs: number;
}

/** Purge jobs that are worked on at the same time, each a batch at a time. */
const atOnce = 4;
/** Milliseconds until a purge job that failed is begun again. */
const retryMs = 5000;
/** Items between two lines in the log. */
const itemsUntilLogged = 100_000;

/**
 * Erases what belonged to deleted devices, places and rooms. The pending purge jobs are in the table, so an end of the process
 * at any point costs nothing but time: another replica, or this one after its next start, does it again from the beginning,
 * and what has been deleted already is not found (docs/adr/0043).
 */
export class PurgeRunner {
  readonly #options: PurgeRunnerOptions;
  readonly #closing = new AbortController();
  /** Each by its deletion: an id may be deleted again as soon as its purge job has ended. */
  readonly #waiting = new Map<string, PurgeJob>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #delayed = new Map<string, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PurgeRunnerOptions) {
    this.#options = options;
  }

  /** Resolves once the pending purge jobs have been read, or could not be. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#look(), this.#options.intervalMs);
    await this.#look();
  }

  /** Begins it now, or as soon as an earlier one has ended. */
  begin(job: PurgeJob): void {
    const { deletion } = job;
    const isKnown = this.#underWay.has(deletion) || this.#delayed.has(deletion);
    if (this.#closing.signal.aborted || isKnown) return;
    this.#waiting.set(deletion, job);
    this.#next();
  }

  /** Resolves when no purge job is under way any more; what is not done stays pending. */
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

  /** One that a newer version has left is for that to do. */
  #beginAgain(item: Document): void {
    try {
      this.begin(parsePurgeJob(item));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'reading an erasure failed');
    }
  }

  #next(): void {
    for (const [deletion, job] of this.#waiting) {
      if (this.#underWay.size === atOnce) return;
      this.#waiting.delete(deletion);
      const work = this.#work(job).then((againAt) => {
        this.#underWay.delete(deletion);
        if (againAt !== undefined) this.#beginAt(againAt, job);
        this.#next();
      });
      this.#underWay.set(deletion, work);
    }
  }

  /** @returns when to begin it again (epoch milliseconds), where it has not ended */
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
      const settledAt = job.deletedAt + this.#settleMsOf(job);
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

  /** What is written for a place or a room is written on the condition that it is there; readings are not. */
  #settleMsOf({ subject }: PurgeJob): number {
    return subject.kind === 'DEVICE' ? this.#options.settleMs : 0;
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

/** Counts the items of one purge job, and logs how far it is. */
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
