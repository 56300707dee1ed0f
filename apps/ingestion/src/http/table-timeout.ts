import { Problem } from '@engawa/errors';
import { withTimeout } from '../concurrency/with-timeout.ts';

export interface RequestTimeouts {
  /** Milliseconds without anything becoming durable. */
  stall: number;
  /** Milliseconds for the whole of a request. Less than the server gives a request, or the answer would be lost. */
  request: number;
}

/** Something of which there is only so much. */
interface Limited<Taken> {
  acquire(count: number, signal: AbortSignal): Promise<Taken>;
}

export interface TableTimeoutOptions {
  limits: RequestTimeouts;
  /** Why the table cannot be used; undefined when it can. */
  missing: () => string | undefined;
  /** Aborts when the service begins to close. */
  closing: AbortSignal;
}

export const sendAgain =
  'Send all of it again: what is stored already stays as it is, if it has a time.';

/**
 * How long one request waits for the table. MQTT's messages wait for as long as it takes, for the broker has them; somebody
 * who waits for an answer over HTTP is better told to come again.
 */
export class TableTimeout {
  readonly #options: TableTimeoutOptions;
  readonly #client: AbortSignal;
  readonly #startedAt = performance.now();

  /**
   * @param client aborts when nobody waits for the answer any more
   * @throws Problem where the table is known to be away: another request would only keep others waiting
   */
  constructor(options: TableTimeoutOptions, client: AbortSignal) {
    this.#options = options;
    this.#client = client;
    if (options.closing.aborted || options.missing() !== undefined) throw this.#lost();
  }

  /** Milliseconds that are left of the whole. */
  get left(): number {
    return Math.max(0, this.#options.limits.request - (performance.now() - this.#startedAt));
  }

  /** @throws Problem that asks to send everything again, when it takes too long */
  wait<Result>(work: Promise<Result>): Promise<Result> {
    return withTimeout(work, this.#options.limits.stall, () => this.#lost());
  }

  /** Waits for room. @throws Problem as `wait` does, or the reason why nobody waits any more */
  async acquire<Taken>(budget: Limited<Taken>, count: number): Promise<Taken> {
    const { closing, limits } = this.#options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), Math.min(limits.stall, this.left));
    try {
      return await budget.acquire(count, AbortSignal.any([this.#client, closing, late.signal]));
    } catch (error) {
      throw this.#client.aborted ? error : this.#lost();
    } finally {
      clearTimeout(timer);
    }
  }

  #lost(): Problem {
    const { closing, missing } = this.#options;
    if (closing.aborted) {
      return new Problem('table-unavailable', `The service is closing. ${sendAgain}`);
    }
    return missing() === undefined
      ? new Problem('table-throttled', `The table does not keep up. ${sendAgain}`)
      : new Problem('table-unavailable', `DynamoDB is unreachable. ${sendAgain}`);
  }
}
