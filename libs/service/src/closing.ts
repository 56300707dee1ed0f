import type { Logger } from 'pino';

interface ClosingStep {
  name: string;
  close: () => void | Promise<void>;
}

/** Closes the parts of a service in reverse order of their creation. */
export class Closing {
  readonly #log: Logger;
  readonly #steps: ClosingStep[] = [];
  readonly #abort = new AbortController();
  readonly #failures: unknown[] = [];
  #drain: (() => Promise<void>) | undefined;
  #hasBegun = false;
  #closed: Promise<void> | undefined;
  #ended = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Whether closing has begun, with draining as its first part. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Aborts after draining, before the first part is closed; pending waits end then. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Sets the first step of closing; `drain` never rejects. */
  drainFirst(drain: () => Promise<void>): void {
    this.#drain = drain;
  }

  /** Skips draining, as after a crash. */
  skipDraining(): void {
    this.#drain = undefined;
  }

  /** Registers the close function of a part. After the end of closing it is called immediately. */
  add(name: string, close: () => void | Promise<void>): void {
    if (this.#ended) void this.#closeStep({ name, close });
    else this.#steps.push({ name, close });
  }

  /**
   * Closes all parts; further calls return the same promise. `settled` is awaited between the abort
   * of the signal and the first step, such as the rest of a start.
   *
   * @throws AggregateError after all steps, where any of them failed.
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

  async #closeStep({ name, close }: ClosingStep): Promise<void> {
    this.#log.debug({ step: name }, 'closing');
    try {
      await close();
    } catch (error) {
      this.#failures.push(error);
      this.#log.error({ step: name, err: error }, 'shutdown step failed');
    }
  }
}
