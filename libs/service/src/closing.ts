import type { Logger } from 'pino';

interface Step {
  name: string;
  close: () => void | Promise<void>;
}

/** What a service has opened, and how it is closed: the last first. */
export class Closing {
  readonly #log: Logger;
  readonly #steps: Step[] = [];
  readonly #abort = new AbortController();
  readonly #failures: unknown[] = [];
  #drain: (() => Promise<void>) | undefined;
  #hasBegun = false;
  #closed: Promise<void> | undefined;
  #ended = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Whether closing has begun: from then on, during draining too. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Aborts when closing begins, after draining: what waits for something stops waiting. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Goes before everything else; `drain` never rejects. */
  drainFirst(drain: () => Promise<void>): void {
    this.#drain = drain;
  }

  /** Skips draining, as after a crash. */
  skipDraining(): void {
    this.#drain = undefined;
  }

  /** Registers what closes `name`. After the end of closing it is closed at once: nobody else would. */
  add(name: string, close: () => void | Promise<void>): void {
    if (this.#ended) void this.#closeStep({ name, close });
    else this.#steps.push({ name, close });
  }

  /**
   * Closes everything, once, however often it is called. `settled` is a promise to wait for between
   * the signal and the first step, such as the rest of a start.
   *
   * @throws AggregateError, after all steps, when any of them failed.
   */
  close(settled: Promise<unknown> = Promise.resolve()): Promise<void> {
    this.#closed ??= this.#close(settled);
    return this.#closed;
  }

  async #close(settled: Promise<unknown>): Promise<void> {
    this.#hasBegun = true;
    await this.#drain?.();
    this.#abort.abort(new Error('the service is closing'));
    await settled;
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      await this.#closeStep(step);
    }
    this.#ended = true;
    if (this.#failures.length > 0) {
      throw new AggregateError(this.#failures, 'not everything could be closed');
    }
  }

  async #closeStep({ name, close }: Step): Promise<void> {
    this.#log.debug({ step: name }, 'closing');
    try {
      await close();
    } catch (error) {
      this.#failures.push(error);
      this.#log.error({ step: name, err: error }, 'shutdown step failed');
    }
  }
}
