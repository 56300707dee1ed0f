import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '@engawa/model';

/** What one turn of the event loop may cost, in fields that are looked at: some 5 ms of a whole CPU. */
const costPerTurn = 5000;

/**
 * Does the work of large messages in slices, one slice a turn of the event loop over all of them, so that pings, answers of
 * the table and other devices' messages pass in between. What fits one slice is done at once.
 */
export class WorkSlicer {
  readonly #costPerTurn: number;
  /** Ends when all that was put off before has been done. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(cost = costPerTurn) {
    this.#costPerTurn = cost;
  }

  /** @returns the result, or, where there is more to do than one turn takes, a promise of it. Throws or rejects as the steps do. */
  run<Result>(steps: Steps<Result>): Result | Promise<Result> {
    const first = this.#slice(steps);
    if (first.done === true) return first.value;
    // One after the other: the first is done sooner, and its memory free.
    const rest = this.#last.then(() => this.#finish(steps));
    this.#last = rest.catch(() => undefined);
    return rest;
  }

  async #finish<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      await nextTurn();
      const slice = this.#slice(steps);
      if (slice.done === true) return slice.value;
    }
  }

  #slice<Result>(steps: Steps<Result>): IteratorResult<number, Result> {
    let cost = 0;
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step;
      cost += step.value;
      if (cost >= this.#costPerTurn) return step;
    }
  }
}
