/** Bounds and start of how many batches may be in flight. */
const fewest = 1;
const most = 64;
const initial = 4;

export type BatchOutcome =
  /** Taken, and more than a batch was waiting meanwhile. */
  | 'pressed'
  /** Taken, but it went out less than half full. */
  | 'idle'
  /** The service had too much, or none of it at all was answered. */
  | 'overloaded'
  /** Says nothing about how much the service takes. */
  | 'neutral';

/**
 * How many batches may be in flight: one more for each round in which full batches had to wait, half as many when the
 * service is overloaded (additive increase, multiplicative decrease). When batches go out half empty it eases back to
 * where it began, since fewer and fuller batches cost less CPU.
 */
export class ConcurrencyLimit {
  #limit = initial;
  #inFlight = 0;
  /** Counts the decreases, so that batches that were in flight together decrease it only once. */
  #epoch = 0;

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get hasRoom(): boolean {
    return this.#inFlight < this.limit;
  }

  /** @returns what `finish` wants to know about this batch */
  start(): number {
    this.#inFlight += 1;
    return this.#epoch;
  }

  finish(epoch: number, outcome: BatchOutcome): void {
    this.#inFlight -= 1;
    if (outcome === 'pressed') this.#limit = Math.min(most, this.#limit + 1 / this.#limit);
    if (outcome === 'idle' && this.#limit > initial) {
      this.#limit = Math.max(initial, this.#limit - 1 / this.#limit);
    }
    if (outcome === 'overloaded' && epoch === this.#epoch) {
      this.#limit = Math.max(fewest, this.#limit / 2);
      this.#epoch += 1;
    }
  }
}
