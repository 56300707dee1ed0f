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

/** What DynamoDB does late in one world: indexes show each write after a time of its own. */
export class TableDelays {
  readonly #random: Random;
  readonly #usualLag: readonly Delay[];
  readonly #more = new Set<{ byMs: number }>();
  #longestLagMs = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#usualLag = random.pick(usualLags);
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
