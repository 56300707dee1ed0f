import type { Random } from '../kernel/index.ts';

interface Delay {
  /** Milliseconds at most. */
  most: number;
  /** Of all writes. */
  share: number;
}

/** By how much indexes are usually behind. */
const usualLags: readonly (readonly Delay[])[] = [
  [],
  [{ most: 1000, share: 1 }],
  [
    { most: 5000, share: 0.05 },
    { most: 1000, share: 1 },
  ],
  [
    { most: 30_000, share: 0.3 },
    { most: 1000, share: 1 },
  ],
];

const dayMs = 86_400_000;
/** Milliseconds behind the beginning of a day in which most of its busy time is. */
const busyMs = 60_000;
/** Milliseconds by which a deletion by time to live is late (developer guide, "Time to live": within a few days). */
const latestTtls: readonly number[] = [0, 2 * dayMs, 2 * dayMs];

/**
 * What DynamoDB does late in one world: indexes show each write, and expired items are deleted,
 * after a time of their own.
 */
export class TableDelays {
  readonly #random: Random;
  readonly #usualLag: readonly Delay[];
  readonly #latestTtl: number;
  readonly #beginsAt: number;
  readonly #more = new Set<{ byMs: number }>();
  #longestLagMs = 0;

  /** @param beginsAt epoch milliseconds of the world's beginning, at whose time each of its days begins */
  constructor(random: Random, beginsAt: number) {
    this.#random = random;
    this.#usualLag = random.pick(usualLags);
    this.#latestTtl = random.pick(latestTtls);
    this.#beginsAt = beginsAt;
  }

  /** Milliseconds until an index shows a write that takes place now. */
  readonly indexLagMs = (): number => {
    const random = this.#random;
    const most = Math.max(0, ...[...this.#more].map(({ byMs }) => byMs));
    const usual = this.#usualLag.find(({ share }) => random.chance(share))?.most ?? 0;
    const lagMs = most > 0 ? random.integer(Math.floor(most / 2), most) : random.integer(0, usual);
    this.#longestLagMs = Math.max(this.#longestLagMs, lagMs);
    return lagMs;
  };

  /**
   * Milliseconds for which an item is still there after its time to live (epoch milliseconds): half of the deletions
   * are in the busy time of a day, the others at any time.
   */
  readonly ttlDelayMs = (expiresAt: number): number => {
    const random = this.#random;
    const delayMs = random.integer(0, this.#latestTtl);
    if (random.chance(0.5)) return delayMs;
    const passed = (expiresAt + delayMs - this.#beginsAt) % dayMs;
    return delayMs + ((dayMs - passed) % dayMs) + random.integer(0, busyMs);
  };

  /** Milliseconds by which an index was ever behind. */
  get longestLagMs(): number {
    return this.#longestLagMs;
  }

  /**
   * Indexes are behind by up to so many milliseconds with what is written from now on.
   * @returns ends it
   */
  delayIndexes(byMs: number): () => void {
    const delay = { byMs };
    this.#more.add(delay);
    return () => this.#more.delete(delay);
  }
}
