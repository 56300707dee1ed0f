/** Batches in flight. */
const minLimit = 1;
const maxLimit = 64;
const initialLimit = 4;

export type BatchOutcome =
  /** The batch was stored, and at least one full batch was waiting meanwhile. */
  | 'pressed'
  /** The batch was stored and less than half full. */
  | 'idle'
  /** The batch was throttled on several keys, or failed as a whole. */
  | 'overloaded'
  /** The outcome has no relation to the capacity of DynamoDB. */
  | 'neutral';

/**
 * The maximum of batches in flight, by additive increase and multiplicative decrease: one more for
 * each round in which full batches wait, half as many on overload. While batches are half empty it
 * returns to its initial value, since fewer and fuller batches cost less CPU.
 */
export class ConcurrencyLimit {
  #limit = initialLimit;
  #inFlight = 0;
  /** Counts the decreases: batches that were in flight together decrease the limit only once. */
  #epoch = 0;

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get hasRoom(): boolean {
    return this.#inFlight < this.limit;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** @returns the epoch to pass to `finish` */
  start(): number {
    this.#inFlight += 1;
    return this.#epoch;
  }

  finish(epoch: number, outcome: BatchOutcome): void {
    this.#inFlight -= 1;
    if (outcome === 'pressed') this.#limit = Math.min(maxLimit, this.#limit + 1 / this.#limit);
    if (outcome === 'idle' && this.#limit > initialLimit) {
      this.#limit = Math.max(initialLimit, this.#limit - 1 / this.#limit);
    }
    if (outcome === 'overloaded' && epoch === this.#epoch) {
      this.#limit = Math.max(minLimit, this.#limit / 2);
      this.#epoch += 1;
    }
  }
}
