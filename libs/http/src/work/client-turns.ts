import { setImmediate as nextTurn } from 'node:timers/promises';
import { invariant } from '@engawa/errors';

/**
 * Interruptible work for a response: each step yields its cost, in values of the response (roughly half a microsecond
 * each).
 */
export type ResponseWork<Result> = Generator<number, Result, undefined>;

/**
 * Maximum cost of a turn of the event loop, in values: about 0.4 ms of a whole CPU. A small
 * response takes several turns, each behind such a slice.
 */
const costPerTurn = 800;

/** The waiting work of a client. */
interface ClientQueue {
  /** Cost of the work of this client, counted from that of the client with the least cost when it came. */
  spent: number;
  waiting: (() => number)[];
}

/**
 * Runs the work for large responses in slices: one slice per turn of the event loop over all clients, so that requests
 * with little work are answered in between. The next slice is for the client with the least cost so far (fair
 * queueing), so a client with many large responses delays its own ones only.
 */
export class ClientTurns {
  readonly #clients = new Map<string, ClientQueue>();
  #isRunning = false;

  /**
   * @returns the result; work that fits one slice runs at once if no other work waits. Rejects if the signal aborts
   * before the work ends
   */
  async run<Result>(
    client: string,
    signal: AbortSignal,
    work: ResponseWork<Result>,
  ): Promise<Result> {
    if (!this.#isRunning) {
      const { step } = slice(work);
      if (step.done === true) return step.value;
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const queue = this.#queueOf(client);
    const next = () => {
      try {
        signal.throwIfAborted();
        const { step, cost } = slice(work);
        if (step.done === true) resolve(step.value);
        else queue.waiting.unshift(next); // one after the other, so that the memory of the first is free sooner
        return cost;
      } catch (error) {
        reject(error);
        return 0;
      }
    };
    queue.waiting.push(next);
    if (!this.#isRunning) void this.#runAll();
    return promise;
  }

  #queueOf(client: string): ClientQueue {
    const known = this.#clients.get(client);
    if (known !== undefined) return known;
    const spent = Math.min(...[...this.#clients.values()].map((other) => other.spent));
    const queue = { spent: Number.isFinite(spent) ? spent : 0, waiting: [] };
    this.#clients.set(client, queue);
    return queue;
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#clients.size > 0) {
      await nextTurn();
      let cost = 0;
      // Many small responses share a turn.
      while (cost < costPerTurn && this.#clients.size > 0) cost += this.#runNext();
    }
    this.#isRunning = false;
  }

  /** @returns the cost of the slice */
  #runNext(): number {
    const [client, queue] = [...this.#clients].reduce((least, each) =>
      each[1].spent < least[1].spent ? each : least,
    );
    const next = invariant(queue.waiting.shift(), 'a client in the map has work');
    const cost = next();
    queue.spent += cost;
    if (queue.waiting.length === 0) this.#clients.delete(client);
    return cost;
  }
}

function slice<Result>(work: ResponseWork<Result>): {
  step: IteratorResult<number, Result>;
  cost: number;
} {
  let cost = 0;
  for (;;) {
    const step = work.next();
    if (step.done === true) return { step, cost };
    cost += step.value;
    if (cost >= costPerTurn) return { step, cost };
  }
}
