import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '@engawa/service';
import { TextChanges } from './text-changes.ts';
import { TextBuildFailed, TextIndexFull, TextIndexLost } from './text-index.ts';
import type { Logger } from 'pino';
import type { FullTextMetrics } from './full-text-metrics.ts';
import type { IndexLease, LeaseState } from './index-lease.ts';
import type { TextChangesOptions } from './text-changes.ts';
import type { TextIndex, TextIndexBuild, TextWriter } from './text-index.ts';

export interface TextFollowerOptions extends Omit<TextChangesOptions, 'from'> {
  index: TextIndex;
  lease: IndexLease;
  metrics: FullTextMetrics;
  log: Logger;
  /** Milliseconds between the starts of two polls. */
  intervalMs: number;
}

/** Time slice for which changes and a rebuild alternate. */
const sliceMs = 1000;
/** Maximum interval of polls after a failure. */
const retryMs = 1000;
/**
 * A build that a full disk ended is tried again after ten times as long as it took, since each attempt reads the texts
 * again, and at most this long.
 */
const maxRebuildPauseMs = 60_000;
/** Removals of texts stay in the table for a day: after a longer gap than this, the index is rebuilt. */
const maxChangeGapMs = 12 * 3_600_000;

interface Build {
  changes: TextChanges;
  index: TextIndexBuild;
  began: number;
}

/** Discards changes that are only read to find rebuild requests. */
const discarding: TextWriter = { apply: () => Promise.resolve() };

/**
 * Applies changes of the table to the index, and rebuilds it where it is missing or a rebuild is requested. During a
 * rebuild the old index is still searched and updated. All steps run one after the other, so nothing has to be locked.
 */
export class TextFollower {
  readonly #options: TextFollowerOptions;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #following: TextChanges | undefined;
  #build: Build | undefined;
  /** Present while the texts exceed the maximum size of the index. */
  #watching: TextChanges | undefined;
  #asOf: number | undefined;
  #rebuilt: string | undefined;
  /** No build begins before this time of the monotonic clock. */
  #rebuildAfter = 0;
  #failing = false;

  constructor(options: TextFollowerOptions) {
    this.#options = options;
  }

  /** The index has all changes up to this time (epoch milliseconds); undefined before the first build. */
  get asOf(): number | undefined {
    return this.#asOf;
  }

  /** The texts exceed the maximum size of the index; a build is only tried again on request. */
  get isFull(): boolean {
    return this.#watching !== undefined;
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    // On failure, another replica waits until the lease expires.
    await this.#options.lease.release().catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const began = performance.now();
      const hasMore = await this.#tryStep();
      if (hasMore) continue;
      const { intervalMs } = this.#options;
      const everyMs = this.#failing ? Math.min(intervalMs, retryMs) : intervalMs;
      const pause = Math.max(0, began + everyMs - performance.now());
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns whether there is more to do immediately */
  async #tryStep(): Promise<boolean> {
    const { metrics, log } = this.#options;
    try {
      const hasMore = await this.#step();
      if (this.#failing && !this.isFull) log.info('full-text index updates have recovered');
      this.#failing = false;
      metrics.polled('ok');
      return hasMore;
    } catch (error) {
      if (this.#closing.signal.aborted) return false;
      this.#forget(error);
      metrics.polled('failed');
      // Only the message: an error of the client may contain the URL and password.
      if (!this.#failing)
        log.warn({ reason: messageOf(error) }, 'full-text index updates are failing');
      this.#failing = true;
      return false;
    }
  }

  /** Drops the index or build that an error reports as lost. */
  #forget(error: unknown): void {
    if (error instanceof TextIndexLost) {
      this.#following = undefined;
      this.#build = undefined;
    }
    if (error instanceof TextBuildFailed) {
      const tookMs = performance.now() - (this.#build?.began ?? 0);
      this.#rebuildAfter = performance.now() + Math.min(10 * tookMs, maxRebuildPauseMs);
      this.#build = undefined;
      // The request for this build is still to be met.
      this.#rebuilt = undefined;
    }
    if (!(error instanceof TextIndexFull)) return;
    // A rebuilt index is smaller than one after many changes.
    if (error.live) this.#following = undefined;
    else this.#build = undefined;
    if (error.live || this.#following !== undefined) return;
    this.#asOf = undefined;
    this.#watching = new TextChanges({ ...this.#options, from: Date.now() });
  }

  async #step(): Promise<boolean> {
    if (this.#watching !== undefined) await this.#watch(this.#watching);
    if (this.#watching !== undefined) return false;
    const lease = await this.#options.lease.acquire(this.#closing.signal);
    if (!lease.isHeld) {
      this.#following = undefined;
      this.#build = undefined;
      this.#asOf = lease.asOf;
      return false;
    }
    if (this.#following === undefined && this.#build === undefined) {
      if (!this.#mayBuild()) return false;
      await this.#start(lease);
    }
    const isBehind = this.#following !== undefined && (await this.#follow(this.#following));
    if (this.#build !== undefined) await this.#continueBuild(this.#build);
    const rebuilding = this.#build !== undefined;
    await this.#options.lease.renew({ asOf: this.#asOf, rebuilding });
    return isBehind || rebuilding;
  }

  async #start({ asOf, rebuilding = false }: Extract<LeaseState, { isHeld: true }>): Promise<void> {
    const { index } = this.#options;
    if (asOf !== undefined && (await index.exists())) {
      if (!rebuilding) await index.deleteUnfinishedBuilds();
      this.#following = new TextChanges({ ...this.#options, from: asOf });
      this.#asOf = asOf;
    }
    if (this.#following === undefined || rebuilding) await this.#startBuild();
  }

  async #watch(changes: TextChanges): Promise<void> {
    await changes.step(discarding, this.#closing.signal);
    const requested = changes.rebuildRequested;
    if (requested === undefined || requested === this.#rebuilt) return;
    this.#rebuilt = requested;
    this.#watching = undefined;
  }

  async #startBuild(): Promise<void> {
    const index = await this.#options.index.beginBuild();
    const changes = new TextChanges(this.#options);
    this.#build = { index, changes, began: performance.now() };
  }

  /** @returns whether there are more changes */
  async #follow(changes: TextChanges): Promise<boolean> {
    // Without changes, nothing else would notice the loss.
    if (!(await this.#options.index.exists())) throw new TextIndexLost('it is gone');
    const isOutdated = Date.now() - (changes.asOf ?? 0) > maxChangeGapMs;
    const hasAll = await this.#advance(changes, this.#options.index);
    if (hasAll) this.#asOf = changes.asOf;
    const requested = changes.rebuildRequested;
    const isRebuildRequested = requested !== undefined && requested !== this.#rebuilt;
    if (this.#build === undefined && this.#mayBuild() && (isOutdated || isRebuildRequested)) {
      this.#rebuilt = requested;
      await this.#startBuild();
    }
    return !hasAll;
  }

  #mayBuild(): boolean {
    return performance.now() >= this.#rebuildAfter;
  }

  async #continueBuild({ changes, index, began }: Build): Promise<void> {
    // One poll for all entities, and a second one for changes made meanwhile.
    for (let polls = 0; polls < 2; polls++) {
      if (!(await this.#advance(changes, index))) return;
    }
    await index.activate();
    this.#build = undefined;
    this.#following = changes;
    this.#asOf = changes.asOf;
    this.#rebuilt = changes.rebuildRequested;
    const seconds = (performance.now() - began) / 1000;
    const { documents } = this.#options.index;
    this.#options.metrics.rebuilt(seconds);
    this.#options.log.info({ seconds, documents }, 'full-text index created');
  }

  /** @returns whether the poll is complete */
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
