import { erasurePartition } from '@engawa/keys';
import { eraseDevice } from './erase-device.ts';
import { erasePlace, eraseRoom } from './erase-scene.ts';
import { endErasure, parseErasure } from './erasure.ts';
import { ClaimLost, ErasureClaim } from './erasure-claim.ts';
import type { Document } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { PlacementStore } from '../placements/placement-store.ts';
import type { EraseSceneOptions } from './erase-scene.ts';
import type { Erasure } from './erasure.ts';

export interface EraserOptions {
  table: Table;
  placements: PlacementStore;
  log: Logger;
  /** Milliseconds between two reads of the erasures that are pending. */
  intervalMs: number;
  /**
   * Milliseconds from the deletion of a device until the last erasure of its readings begins: readings that were under way
   * when it was deleted are stored by then.
   */
  settleMs: number;
}

/** Erasures that are worked on at the same time, each a batch at a time. */
const atOnce = 4;
/** Milliseconds until an erasure that failed is begun again. */
const retryMs = 5000;
/** Items between two lines in the log. */
const itemsUntilLogged = 100_000;

/**
 * Erases what belonged to deleted devices, places and rooms. The pending erasures are in the table, so an end of the process
 * at any point costs nothing but time: another replica, or this one after its next start, does it again from the beginning,
 * and what has been deleted already is not found (docs/adr/0043).
 */
export class Eraser {
  readonly #options: EraserOptions;
  readonly #closing = new AbortController();
  /** Each by its deletion: an id may be deleted again as soon as its erasure has ended. */
  readonly #waiting = new Map<string, Erasure>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #delayed = new Map<string, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EraserOptions) {
    this.#options = options;
  }

  /** Resolves once the pending erasures have been read, or could not be. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#look(), this.#options.intervalMs);
    await this.#look();
  }

  /** Begins it now, or as soon as an earlier one has ended. */
  begin(erasure: Erasure): void {
    const { deletion } = erasure;
    const isKnown = this.#underWay.has(deletion) || this.#delayed.has(deletion);
    if (this.#closing.signal.aborted || isKnown) return;
    this.#waiting.set(deletion, erasure);
    this.#next();
  }

  /** Resolves when no erasure is under way any more; what is not done stays pending. */
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
        const question = { pk: erasurePartition, ...(after && { after }), signal };
        const page = await this.#options.table.query(question);
        for (const item of page.items) this.#beginAgain(item);
        after = page.next;
      } while (after !== undefined);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.log.warn(
        { err: error },
        'reading the pending erasures failed; trying again later',
      );
    }
  }

  /** One that a newer version has left is for that to do. */
  #beginAgain(item: Document): void {
    try {
      this.begin(parseErasure(item));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'reading an erasure failed');
    }
  }

  #next(): void {
    for (const [deletion, erasure] of this.#waiting) {
      if (this.#underWay.size === atOnce) return;
      this.#waiting.delete(deletion);
      const work = this.#work(erasure).then((againAt) => {
        this.#underWay.delete(deletion);
        if (againAt !== undefined) this.#beginAt(againAt, erasure);
        this.#next();
      });
      this.#underWay.set(deletion, work);
    }
  }

  /** @returns when to begin it again (epoch milliseconds), where it has not ended */
  async #work(erasure: Erasure): Promise<number | undefined> {
    const { table } = this.#options;
    const log = this.#options.log.child({ erasure: erasure.subject });
    const { signal } = this.#closing;
    const begunAt = Date.now();
    const progress = new ErasureProgress(log);
    let claim: ErasureClaim | undefined;
    try {
      claim = await ErasureClaim.take(table, erasure);
      if (claim === undefined) return undefined;
      const keepClaim = claim.keep.bind(claim);
      await erase({ ...this.#options, signal, keepClaim, erased: progress.add }, erasure);
      progress.end();
      const settledAt = erasure.deletedAt + this.#settleMsOf(erasure);
      if (begunAt < settledAt) return settledAt;
      await endErasure(table, erasure);
      claim = undefined;
      return undefined;
    } catch (error) {
      if (signal.aborted || error instanceof ClaimLost) return undefined;
      log.warn({ err: error, items: progress.items }, 'an erasure failed; trying again');
      return Date.now() + retryMs;
    } finally {
      await claim?.release().catch(() => undefined);
    }
  }

  /** What is written for a place or a room is written on the condition that it is there; readings are not. */
  #settleMsOf({ subject }: Erasure): number {
    return subject.kind === 'DEVICE' ? this.#options.settleMs : 0;
  }

  #beginAt(time: number, erasure: Erasure): void {
    const { deletion } = erasure;
    const begin = () => {
      this.#delayed.delete(deletion);
      this.begin(erasure);
    };
    const timer = setTimeout(begin, Math.max(0, time - Date.now()));
    if (this.#closing.signal.aborted) clearTimeout(timer);
    else this.#delayed.set(deletion, timer);
  }
}

/** Counts the items of one erasure, and logs how far it is. */
class ErasureProgress {
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
    if (this.items > 0) this.#log.info({ items: this.items }, 'erased what belonged to a deletion');
  }
}

function erase(options: EraseSceneOptions, { subject, deletedAt }: Erasure): Promise<void> {
  switch (subject.kind) {
    case 'DEVICE':
      return eraseDevice(options, { ...subject, deletedAt });
    case 'PLACE':
      return erasePlace(options, subject.place);
    case 'ROOM':
      return eraseRoom(options, subject);
  }
}
