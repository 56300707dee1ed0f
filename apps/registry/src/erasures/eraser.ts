import { erasurePartition } from '@engawa/keys';
import { eraseDevice } from './erase-device.ts';
import { erasePlace, eraseRoom } from './erase-scene.ts';
import { parseErasure } from './erasure.ts';
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
  /** Milliseconds between two looks for what others have left undone. */
  intervalMs?: number;
  /** Milliseconds after which nothing more of before the deletion can come up. */
  settleMs?: number;
}

/** Erasures that are worked on at the same time, each a batch at a time. */
const atOnce = 4;
/** Items between two lines in the log. */
const itemsUntilLogged = 100_000;

/**
 * Removes what belonged to things that have been deleted. What it has to do is in the table, so an end of the process at
 * any point costs nothing but time: this replica after its next start, or another within a minute, does it again from the
 * beginning, and what is gone already is not found. Two at once do no harm (docs/adr/0016).
 */
export class Eraser {
  readonly #options: EraserOptions & { intervalMs: number; settleMs: number };
  readonly #closing = new AbortController();
  readonly #waiting = new Map<string, Erasure>();
  readonly #underWay = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EraserOptions) {
    this.#options = { intervalMs: 60_000, settleMs: 120_000, ...options };
  }

  /** Resolves once it is known what others left undone, or that this cannot be known now. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#look(), this.#options.intervalMs);
    await this.#look();
  }

  /** Begins with it now, or as soon as others are done. */
  begin(erasure: Erasure): void {
    const { sk } = erasure.key;
    if (this.#closing.signal.aborted || this.#underWay.has(sk)) return;
    this.#waiting.set(sk, erasure);
    this.#next();
  }

  /** Resolves when nothing is under way any more; what is not done stays for later. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    this.#waiting.clear();
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
      this.#options.log.warn({ err: error }, 'what is to be erased could not be read: later');
    }
  }

  /** One that a newer version left is for that to do. */
  #beginAgain(item: Document): void {
    try {
      this.begin(parseErasure(item));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'an erasure cannot be read');
    }
  }

  #next(): void {
    for (const [sk, erasure] of this.#waiting) {
      if (this.#underWay.size === atOnce) return;
      this.#waiting.delete(sk);
      const work = this.#work(erasure).finally(() => {
        this.#underWay.delete(sk);
        this.#next();
      });
      this.#underWay.set(sk, work);
    }
  }

  async #work(erasure: Erasure): Promise<void> {
    const { table, settleMs } = this.#options;
    const log = this.#options.log.child({ erasure: erasure.subject });
    const { signal } = this.#closing;
    const begun = Date.now();
    let items = 0;
    const erased = (more: number) => {
      if (Math.floor((items + more) / itemsUntilLogged) > Math.floor(items / itemsUntilLogged)) {
        log.info({ items: items + more }, 'erasing');
      }
      items += more;
    };
    try {
      await erase({ ...this.#options, signal, erased }, erasure);
      if (items > 0) log.info({ items }, 'erased what belonged to what was deleted');
      // What was under way when it was deleted may have been written behind our back: another round finds it.
      if (begun >= erasure.before + settleMs) await table.delete(erasure.key);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error, items }, 'not all could be erased: later');
    }
  }
}

function erase(options: EraseSceneOptions, { subject, before }: Erasure): Promise<void> {
  switch (subject.kind) {
    case 'DEVICE':
      return eraseDevice(options, { ...subject, before });
    case 'PLACE':
      return erasePlace(options, { ...subject, before });
    case 'ROOM':
      return eraseRoom(options, { ...subject, before });
  }
}
