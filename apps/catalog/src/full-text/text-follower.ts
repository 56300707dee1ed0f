import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '@engawa/service';
import { TextChanges } from './text-changes.ts';
import { TextIndexFull, TextIndexLost } from './text-index.ts';
import type { Logger } from 'pino';
import type { FullTextMetrics } from './full-text-metrics.ts';
import type { IndexLease, LeaseState } from './index-turn.ts';
import type { TextChangesOptions } from './text-changes.ts';
import type { TextIndex, TextIndexBuild, TextWriter } from './text-index.ts';

export interface TextFollowerOptions extends Omit<TextChangesOptions, 'from'> {
  index: TextIndex;
  turn: IndexLease;
  metrics: FullTextMetrics;
  log: Logger;
  /** Milliseconds between the beginnings of two looks. */
  intervalMs: number;
}

/** Milliseconds after which what changes gets its turn while an index is made anew, and the other way round. */
const sliceMs = 1000;
/** Milliseconds between two looks at most, where the last one failed. */
const retryMs = 1000;
/** Rows of what was deleted are there for a day: who was away for longer than this may not see them all. */
const maxAwayMs = 12 * 3_600_000;

interface Build {
  changes: TextChanges;
  index: TextIndexBuild;
  began: number;
}

/** Of changes that are only read to see whether somebody asks for another build. */
const discarding: TextWriter = { apply: () => Promise.resolve() };

/**
 * Applies changes of the table to the index, and builds the index where there is none, or somebody asks for it: beside
 * the one that is searched meanwhile, to which changes are still applied. One thing at a time, so that nothing has to
 * be locked.
 */
export class TextFollower {
  readonly #options: TextFollowerOptions;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #following: TextChanges | undefined;
  #build: Build | undefined;
  /** While all texts are more than the index may hold. */
  #watching: TextChanges | undefined;
  #asOf: number | undefined;
  #rebuilt: string | undefined;
  #failing = false;

  constructor(options: TextFollowerOptions) {
    this.#options = options;
  }

  /** Everything stored by then is in the index (epoch milliseconds); unknown where it has not been made yet. */
  get asOf(): number | undefined {
    return this.#asOf;
  }

  /** All texts are more than the index may hold; another build is only tried where somebody asks for it. */
  get isFull(): boolean {
    return this.#watching !== undefined;
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    // Whoever takes over would only wait a little longer.
    await this.#options.turn.release().catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const began = performance.now();
      const hasMore = await this.#tryRound();
      if (hasMore) continue;
      const { intervalMs } = this.#options;
      const everyMs = this.#failing ? Math.min(intervalMs, retryMs) : intervalMs;
      const pause = Math.max(0, began + everyMs - performance.now());
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns whether there is more to do at once */
  async #tryRound(): Promise<boolean> {
    const { metrics, log } = this.#options;
    try {
      const hasMore = await this.#round();
      if (this.#failing && !this.isFull) log.info('full-text index updates have recovered');
      this.#failing = false;
      metrics.looked('ok');
      return hasMore;
    } catch (error) {
      if (this.#closing.signal.aborted) return false;
      this.#forget(error);
      metrics.looked('failed');
      // The message alone: an error of a client may carry where it was sent, and with what password.
      if (!this.#failing)
        log.warn({ reason: messageOf(error) }, 'full-text index updates are failing');
      this.#failing = true;
      return false;
    }
  }

  /** Lets go of what an error says is gone. */
  #forget(error: unknown): void {
    if (error instanceof TextIndexLost) {
      this.#following = undefined;
      this.#build = undefined;
    }
    if (!(error instanceof TextIndexFull)) return;
    // Built again, it takes less room than after many changes.
    if (error.live) this.#following = undefined;
    else this.#build = undefined;
    if (error.live || this.#following !== undefined) return;
    this.#asOf = undefined;
    this.#watching = new TextChanges({ ...this.#options, from: Date.now() });
  }

  async #round(): Promise<boolean> {
    if (this.#watching !== undefined) await this.#watch(this.#watching);
    if (this.#watching !== undefined) return false;
    const turn = await this.#options.turn.acquire(this.#closing.signal);
    if (!turn.mine) {
      this.#following = undefined;
      this.#build = undefined;
      this.#asOf = turn.asOf;
      return false;
    }
    if (this.#following === undefined && this.#build === undefined) await this.#begin(turn);
    const isBehind = this.#following !== undefined && (await this.#follow(this.#following));
    if (this.#build !== undefined) await this.#goOn(this.#build);
    const rebuilding = this.#build !== undefined;
    await this.#options.turn.renew({ asOf: this.#asOf, rebuilding });
    return isBehind || rebuilding;
  }

  async #begin({ asOf, rebuilding = false }: Extract<LeaseState, { mine: true }>): Promise<void> {
    const { index } = this.#options;
    if (asOf !== undefined && (await index.exists())) {
      if (!rebuilding) await index.deleteUnfinishedBuilds();
      this.#following = new TextChanges({ ...this.#options, from: asOf });
      this.#asOf = asOf;
    }
    if (this.#following === undefined || rebuilding) await this.#beginBuild();
  }

  async #watch(changes: TextChanges): Promise<void> {
    await changes.step(discarding, this.#closing.signal);
    const asked = changes.rebuildAsked;
    if (asked === undefined || asked === this.#rebuilt) return;
    this.#rebuilt = asked;
    this.#watching = undefined;
  }

  async #beginBuild(): Promise<void> {
    const index = await this.#options.index.beginBuild();
    const changes = new TextChanges(this.#options);
    this.#build = { index, changes, began: performance.now() };
  }

  /** @returns whether there is more of it */
  async #follow(changes: TextChanges): Promise<boolean> {
    // Where nothing changes, nothing else would tell.
    if (!(await this.#options.index.exists())) throw new TextIndexLost('it is gone');
    const wasAway = Date.now() - (changes.asOf ?? 0) > maxAwayMs;
    const hasAll = await this.#advance(changes, this.#options.index);
    if (hasAll) this.#asOf = changes.asOf;
    const asked = changes.rebuildAsked;
    const isAsked = asked !== undefined && asked !== this.#rebuilt;
    if (this.#build === undefined && (wasAway || isAsked)) {
      this.#rebuilt = asked;
      await this.#beginBuild();
    }
    return !hasAll;
  }

  async #goOn({ changes, index, began }: Build): Promise<void> {
    // Once to the end of what there is, and once more: what changed in the meantime.
    for (let looks = 0; looks < 2; looks++) {
      if (!(await this.#advance(changes, index))) return;
    }
    await index.activate();
    this.#build = undefined;
    this.#following = changes;
    this.#asOf = changes.asOf;
    this.#rebuilt = changes.rebuildAsked;
    const seconds = (performance.now() - began) / 1000;
    const { documents } = this.#options.index;
    this.#options.metrics.rebuilt(seconds);
    this.#options.log.info({ seconds, documents }, 'full-text index created');
  }

  /** @returns whether it has seen all there is */
  async #advance(changes: TextChanges, writer: TextWriter): Promise<boolean> {
    const { signal } = this.#closing;
    const end = performance.now() + sliceMs;
    const counted = {
      apply: async (...[changes, readAt]: Parameters<TextWriter['apply']>) => {
        await writer.apply(changes, readAt);
        this.#options.metrics.applied(changes.length);
      },
    };
    do {
      if (await changes.step(counted, signal)) return true;
    } while (performance.now() < end);
    return false;
  }
}
