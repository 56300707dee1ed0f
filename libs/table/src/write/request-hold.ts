import { backoff } from '../client/backoff.ts';
import { errorKindOf } from '../errors/dynamo-error.ts';
import type { Logger } from 'pino';

/** Consecutive failures before one is logged. */
const failuresUntilLogged = 3;

interface RequestHoldOptions {
  log: Logger;
  /** From 0 up to 1, for backoff. */
  random?: (() => number) | undefined;
}

/** Holds all requests, with backoff, while requests fail as a whole. Times are from the monotonic clock. */
export class RequestHold {
  readonly #options: RequestHoldOptions;
  #failures = 0;
  #failedAt = 0;
  #until = 0;

  constructor(options: RequestHoldOptions) {
    this.#options = options;
  }

  /** Time until which no request is sent. */
  get until(): number {
    return this.#until;
  }

  /** Failures in a row; requests in flight at the same time count as one. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether the last request failed as a whole. */
  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** @param pending buffered items, for the log */
  failed(error: unknown, { sentAt, pending }: { sentAt: number; pending: number }): void {
    // Requests in flight at the same time count as one failure.
    if (sentAt < this.#failedAt) return;
    const { log, random } = this.#options;
    this.#failures += 1;
    this.#failedAt = performance.now();
    this.#until = this.#failedAt + backoff(this.#failures, random);
    if (this.#failures === failuresUntilLogged) {
      const why = { pending, kind: errorKindOf(error), err: error };
      log.warn(why, 'table writes failing; buffering items');
    }
  }

  succeeded(): void {
    if (this.#failures >= failuresUntilLogged)
      this.#options.log.info('table writes have recovered');
    this.#failures = 0;
    this.#until = 0;
  }
}
