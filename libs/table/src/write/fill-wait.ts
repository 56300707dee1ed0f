/** Batches in flight from which a batch that is not full waits for more items. */
const busy = 2;
/** Maximum wait in milliseconds: about the time of a request, and short where requests in flight hang. */
const maxWaitMs = 10;

/**
 * Lets the items of a batch that is not full wait for others while batches are in flight. A request costs the same CPU
 * for one item as for 25, and under load each response would otherwise send the few items that came meanwhile.
 */
export class FillWait {
  #until: number | undefined;

  /** When the wait ends, in monotonic milliseconds; Infinity while nothing waits. */
  get until(): number {
    return this.#until ?? Infinity;
  }

  /**
   * Whether a batch may be sent.
   * @param queue the items that wait; `isEmpty` ends the wait
   */
  isOver(
    queue: { readonly isEmpty: boolean; readonly hasFullBatch: boolean },
    inFlight: number,
    now: number,
  ): boolean {
    if (queue.isEmpty || queue.hasFullBatch || inFlight < busy) {
      this.#until = undefined;
      return true;
    }
    this.#until ??= now + maxWaitMs;
    return now >= this.#until;
  }
}
