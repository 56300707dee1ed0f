import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SlicedWork } from '@engawa/model';

/** Maximum cost of a turn of the event loop, in fields: about 5 ms of a whole CPU. */
const costPerTurn = 5000;

/**
 * Runs the work of large messages in slices, one slice per turn of the event loop over all of them, so that pings,
 * responses of the table and messages of other devices are handled in between. Work that fits one slice runs at once.
 */
export class WorkSlicer {
  readonly #costPerTurn: number;
  /** Resolves when all deferred work before has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(cost = costPerTurn) {
    this.#costPerTurn = cost;
  }

  /**
   * @returns the result, or a promise of it if the work takes more than one slice. Throws or rejects as the steps do
   */
  run<Result>(work: SlicedWork<Result>): Result | Promise<Result> {
    const first = this.#slice(work);
    if (first.done === true) return first.value;
    // One after the other, so that the memory of the first is free sooner.
    const rest = this.#last.then(() => this.#finish(work));
    this.#last = rest.catch(() => undefined);
    return rest;
  }

  async #finish<Result>(work: SlicedWork<Result>): Promise<Result> {
    for (;;) {
      await nextTurn();
      const slice = this.#slice(work);
      if (slice.done === true) return slice.value;
    }
  }

  #slice<Result>(work: SlicedWork<Result>): IteratorResult<number, Result> {
    let cost = 0;
    for (;;) {
      const step = work.next();
      if (step.done === true) return step;
      cost += step.value;
      if (cost >= this.#costPerTurn) return step;
    }
  }
}
