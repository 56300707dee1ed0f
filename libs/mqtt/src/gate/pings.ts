/** Tells which of the PINGRESPs that mqtt.js receives on one connection are the broker's own. */
export class Pings {
  /** Whether mqtt.js waits for the response to a PINGREQ. */
  #isAwaited = false;
  /** Pings without a response of the broker itself. */
  #unanswered = 0;
  /** For each PINGRESP passed to mqtt.js: whether it is the broker's response to the latest ping. */
  readonly #answers: boolean[] = [];

  sent(): void {
    this.#unanswered += 1;
    this.#isAwaited = true;
  }

  /**
   * The broker's PINGRESP is passed to mqtt.js. Not called on receipt: earlier messages of the
   * broker, such as redeliveries, may still be queued before it.
   */
  answered(): void {
    this.#isAwaited = false;
    this.#unanswered -= 1;
    this.#answers.push(this.#unanswered === 0);
  }

  /** Whether mqtt.js waits for a response. If so, the caller must provide it, and it is no longer awaited. */
  takeAwaited(): boolean {
    const wasAwaited = this.#isAwaited;
    this.#isAwaited = false;
    return wasAwaited;
  }

  /** A PINGRESP that the broker did not send is passed to mqtt.js. */
  answeredInPlace(): void {
    this.#answers.push(false);
  }

  /**
   * Call it once per PINGRESP that mqtt.js receives. @returns whether it proves that the broker has
   * processed everything that was sent before the latest ping
   */
  takeAnswer(): boolean {
    return this.#answers.shift() ?? false;
  }
}
