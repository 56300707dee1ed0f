import { Problem } from '@engawa/errors';
import { withTimeout } from '../concurrency/with-timeout.ts';

export interface RequestTimeouts {
  /** Milliseconds without any progress. */
  stallMs: number;
  /** Milliseconds for the whole request; less than the server's timeout, or the response would be lost. */
  requestMs: number;
}

/** A limited resource. */
interface Limited<Taken> {
  acquire(count: number, signal: AbortSignal): Promise<Taken>;
}

export interface TableTimeoutOptions {
  timeouts: RequestTimeouts;
  /** The reason why the table is unavailable; undefined if it is available. */
  missing: () => string | undefined;
  /** Aborts when the service begins to close. */
  closing: AbortSignal;
}

export const sendAgain =
  'Send the whole request again: readings that are stored already and have a time are not stored twice.';

/**
 * Limits how long a request waits for the table. MQTT messages wait without a limit, because the broker keeps them; an
 * HTTP client should retry later.
 */
export class TableTimeout {
  readonly #options: TableTimeoutOptions;
  readonly #client: AbortSignal;
  readonly #startedAt = performance.now();

  /**
   * @param client aborts when the client no longer waits for the response
   * @throws Problem while the table is unavailable: the request would only delay others
   */
  constructor(options: TableTimeoutOptions, client: AbortSignal) {
    this.#options = options;
    this.#client = client;
    if (options.closing.aborted || options.missing() !== undefined) throw this.#lost();
  }

  /** Remaining milliseconds of the request. */
  get remainingMs(): number {
    return Math.max(0, this.#options.timeouts.requestMs - (performance.now() - this.#startedAt));
  }

  /** @throws Problem that asks to send everything again, when the work takes too long */
  wait<Result>(work: Promise<Result>): Promise<Result> {
    return withTimeout(work, this.#options.timeouts.stallMs, () => this.#lost());
  }

  /** Waits for room. @throws Problem as `wait` does, or the reason of the client's signal */
  async acquire<Taken>(budget: Limited<Taken>, count: number): Promise<Taken> {
    const { closing, timeouts } = this.#options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), Math.min(timeouts.stallMs, this.remainingMs));
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
      return new Problem('service-closing', `The service is closing. ${sendAgain}`);
    }
    return missing() === undefined
      ? new Problem('table-throttled', `DynamoDB stores the readings too slowly. ${sendAgain}`)
      : new Problem('table-unavailable', `DynamoDB is unreachable. ${sendAgain}`);
  }
}
