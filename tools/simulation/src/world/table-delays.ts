import type { Random } from '../kernel/index.ts';

interface Delay {
  /** Maximum milliseconds. */
  most: number;
  /** Share of all writes. */
  share: number;
}

/** Distributions of the index lag without faults, of which each world draws one. */
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
/** Milliseconds after the start of a day in which actors are most active. */
const busyMs = 60_000;
/** Maximum delay of a deletion by time to live in milliseconds (developer guide, "Time to live": a few days). */
const latestTtls: readonly number[] = [0, 2 * dayMs, 2 * dayMs];

/**
 * The delays of one world's table: of each write until an index shows it, and of each expired item
 * until its deletion.
 */
export class TableDelays {
  readonly #random: Random;
  readonly #usualLag: readonly Delay[];
  readonly #latestTtl: number;
  readonly #beginsAt: number;
  readonly #more = new Set<{ byMs: number }>();
  #maxLagMs = 0;

  /** @param beginsAt epoch milliseconds of the world's beginning; all its days begin at this time of day */
  constructor(random: Random, beginsAt: number) {
    this.#random = random;
    this.#usualLag = random.pick(usualLags);
    this.#latestTtl = random.pick(latestTtls);
    this.#beginsAt = beginsAt;
  }

  /** Draws the milliseconds until an index shows a write of now. */
  readonly indexLagMs = (): number => {
    const random = this.#random;
    const most = Math.max(0, ...[...this.#more].map(({ byMs }) => byMs));
    const usual = this.#usualLag.find(({ share }) => random.chance(share))?.most ?? 0;
    const lagMs = most > 0 ? random.integer(Math.floor(most / 2), most) : random.integer(0, usual);
    this.#maxLagMs = Math.max(this.#maxLagMs, lagMs);
    return lagMs;
  };

  /**
   * Draws the milliseconds between an item's time to live (epoch milliseconds) and its deletion: half of the deletions
   * are in the busy part of a day, the others at any time.
   */
  readonly ttlDelayMs = (expiresAt: number): number => {
    const random = this.#random;
    const delayMs = random.integer(0, this.#latestTtl);
    if (random.chance(0.5)) return delayMs;
    const passed = (expiresAt + delayMs - this.#beginsAt) % dayMs;
    return delayMs + ((dayMs - passed) % dayMs) + random.integer(0, busyMs);
  };

  /** Maximum lag of an index so far, in milliseconds. */
  get maxLagMs(): number {
    return this.#maxLagMs;
  }

  /**
   * Delays the visibility of later writes in indexes by up to `byMs` milliseconds.
   * @returns a function that ends the delay
   */
  delayIndexes(byMs: number): () => void {
    const delay = { byMs };
    this.#more.add(delay);
    return () => this.#more.delete(delay);
  }
}
