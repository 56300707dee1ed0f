import { invariant } from '@engawa/errors';

const inside = 'a slot is within the sketch';

/**
 * The counts of each slot of a sketch since they were last taken. Nothing is done per record: the counts of the current
 * pane are compared with their state at the last call.
 */
export class FreshCounts {
  /** Counts of ended panes. */
  readonly #ended: Float64Array;
  /** Counts of the current pane that were taken. */
  readonly #taken: Float64Array;

  constructor(slots: number) {
    this.#ended = new Float64Array(slots);
    this.#taken = new Float64Array(slots);
  }

  /** @param current the count of the slot in the current pane */
  take(slot: number, current: number): number {
    const fresh =
      invariant(this.#ended[slot], inside) + current - invariant(this.#taken[slot], inside);
    this.#ended[slot] = 0;
    this.#taken[slot] = current;
    return fresh;
  }

  /** The current pane has ended with this count; the next one begins with 0. */
  endPane(slot: number, current: number): void {
    this.#ended[slot] =
      invariant(this.#ended[slot], inside) + current - invariant(this.#taken[slot], inside);
    this.#taken[slot] = 0;
  }

  forget(slot: number): void {
    this.#ended[slot] = 0;
    this.#taken[slot] = 0;
  }

  get bytes(): number {
    return this.#ended.byteLength + this.#taken.byteLength;
  }
}
