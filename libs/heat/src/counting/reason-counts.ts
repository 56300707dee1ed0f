import { invariant } from '@engawa/errors';
import { paneCount } from './time-window.ts';
import type { ThrottlingCause } from '../keys/partition.ts';

/**
 * DynamoDB has eight reasons for reads or writes of one table or index; there are some more for
 * batches and transactions.
 */
const maxReasons = 16;

interface ReasonCount {
  cause: ThrottlingCause;
  panes: number[];
}

/** Exact counts of throttling reasons. Beyond the maximum, further reasons count as `unknown`. */
export class ReasonCounts {
  readonly #counts = new Map<string, ReasonCount>();
  #pane = 0;

  add({ scope, reason }: ThrottlingCause): void {
    const { panes } = this.#find({ scope, reason });
    panes[this.#pane] = invariant(panes[this.#pane], 'each pane has a count') + 1;
  }

  all(): { cause: ThrottlingCause; count: number }[] {
    return [...this.#counts.values()].map(({ cause, panes }) => ({ cause, count: sum(panes) }));
  }

  /** Clears the oldest panes, as many as have ended. */
  turn(panes: number): void {
    for (let turned = 0; turned < Math.min(panes, paneCount); turned++) {
      this.#pane = (this.#pane + 1) % paneCount;
      for (const count of this.#counts.values()) count.panes[this.#pane] = 0;
    }
    for (const [name, count] of this.#counts) {
      if (sum(count.panes) === 0) this.#counts.delete(name);
    }
  }

  #find({ scope, reason }: ThrottlingCause): ReasonCount {
    const known = this.#counts.get(`${scope} ${reason}`);
    if (known !== undefined) return known;
    const named = this.#counts.size < maxReasons ? reason : 'unknown';
    const name = `${scope} ${named}`;
    const count = this.#counts.get(name) ?? {
      cause: { scope, reason: named },
      panes: new Array<number>(paneCount).fill(0),
    };
    this.#counts.set(name, count);
    return count;
  }
}

function sum(panes: readonly number[]): number {
  return panes.reduce((total, count) => total + count, 0);
}
