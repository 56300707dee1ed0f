import { ClientCounts, isWithinShare } from '../guards/client-share.ts';

interface Waiting {
  client: string;
  begin: () => void;
}

/**
 * A number of slots for work that holds much memory, shared among clients: a client that has its share waits, and so
 * does a client without a free slot.
 */
export class ClientSlots {
  readonly #maximum: number;
  readonly #counts = new ClientCounts();
  readonly #waiting = new Set<Waiting>();
  #used = 0;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** Runs the work once the client has a slot. Rejects if the signal aborts before. */
  async hold<Result>(
    client: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (!this.#admits(client)) await this.#wait(client, signal);
    else this.#take(client);
    try {
      return await work();
    } finally {
      this.#used -= 1;
      this.#counts.remove(client);
      this.#admitNext();
    }
  }

  async #wait(client: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiting = { client, begin: () => resolve(undefined) };
    const onAbort = () => {
      if (this.#waiting.delete(waiting)) reject(signal.reason as Error);
    };
    this.#waiting.add(waiting);
    signal.addEventListener('abort', onAbort);
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  #admits(client: string): boolean {
    return isWithinShare(this.#counts.of(client), this.#maximum - this.#used);
  }

  #take(client: string): void {
    this.#used += 1;
    this.#counts.add(client);
  }

  /** In the order of their arrival, those of clients that have fewest slots first. */
  #admitNext(): void {
    for (;;) {
      const admitted = [...this.#waiting].filter(({ client }) => this.#admits(client));
      const [first, ...others] = admitted;
      if (first === undefined) return;
      const ofFewest = (least: Waiting, each: Waiting) =>
        this.#counts.of(each.client) < this.#counts.of(least.client) ? each : least;
      const next = others.reduce(ofFewest, first);
      this.#waiting.delete(next);
      this.#take(next.client);
      next.begin();
    }
  }
}
