/** Deterministic random numbers of a seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Restarts the sequence with this seed. */
  restart(seed: number): void {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1 (mulberry32, by Tommy Ettinger, public domain). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` up to and including `high`. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** @throws Error for an empty list */
  pick<Choice>(choices: readonly Choice[]): Choice {
    if (choices.length === 0) throw new Error('no choices are given');
    return choices[this.integer(0, choices.length - 1)] as Choice;
  }

  bytes(length: number): Buffer<ArrayBuffer> {
    const bytes = Buffer.alloc(length);
    for (let index = 0; index < length; index++) bytes[index] = this.integer(0, 255);
    return bytes;
  }

  /**
   * Creates an independent sequence, so that one part of the world can draw more numbers without
   * changing the numbers of other parts.
   */
  fork(): Random {
    return new Random(this.integer(0, 0xffff_ffff));
  }
}
