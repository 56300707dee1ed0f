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
 * Batches with items of throttled keys are counted apart from the others: each would otherwise take a request from keys
 * that DynamoDB accepts, and a key that gets more shards tries all of them at once.
 */
export type BatchKind = 'open' | 'throttled';

/**
 * The maximum of batches in flight of each kind, by additive increase and multiplicative decrease: one more for
 * each round in which full batches wait, half as many on overload. While batches are half empty it
 * returns to its initial value: fewer and fuller batches cost less CPU, and with a single one in flight each item waits
 * for the request before it.
 */
export class ConcurrencyLimit {
  #limit = initialLimit;
  readonly #inFlight: Record<BatchKind, number> = { open: 0, throttled: 0 };
  /** Counts the decreases: batches that were in flight together decrease the limit only once. */
  #epoch = 0;

  get limit(): number {
    return Math.floor(this.#limit);
  }

  hasRoom(kind: BatchKind): boolean {
    return this.inFlight(kind) < this.limit;
  }

  inFlight(kind: BatchKind): number {
    return this.#inFlight[kind];
  }

  /** @returns the epoch to pass to `finish` */
  start(kind: BatchKind): number {
    this.#inFlight[kind] += 1;
    return this.#epoch;
  }

  finish(kind: BatchKind, epoch: number, outcome: BatchOutcome): void {
    this.#inFlight[kind] -= 1;
    if (outcome === 'pressed') this.#limit = Math.min(maxLimit, this.#limit + 1 / this.#limit);
    if (outcome === 'idle') this.#approachInitial();
    if (outcome === 'overloaded' && epoch === this.#epoch) {
      this.#limit = Math.max(minLimit, this.#limit / 2);
      this.#epoch += 1;
    }
  }

  #approachInitial(): void {
    const step = 1 / this.#limit;
    this.#limit =
      this.#limit > initialLimit
        ? Math.max(initialLimit, this.#limit - step)
        : Math.min(initialLimit, this.#limit + step);
  }
}
