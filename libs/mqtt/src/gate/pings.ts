/** Which of the answers to the pings of one connection are the broker's own. */
export class Pings {
  /** Whether a PINGREQ is out whose answer mqtt.js has not had. */
  #isAwaited = false;
  /** Pings that the broker itself has not answered. */
  #unanswered = 0;
  /** Of each PINGRESP on its way to mqtt.js: whether it is the broker's answer to the latest ping. */
  readonly #answers: boolean[] = [];

  sent(): void {
    this.#unanswered += 1;
    this.#isAwaited = true;
  }

  /**
   * The broker's PINGRESP goes on to mqtt.js. Not called when it is received: messages that the broker sent before it, such as
   * redeliveries, may still wait in between.
   */
  answered(): void {
    this.#isAwaited = false;
    this.#unanswered -= 1;
    this.#answers.push(this.#unanswered === 0);
  }

  /** Whether mqtt.js awaits an answer. It is the caller's to give then: it is not awaited any more. */
  takeAwaited(): boolean {
    const wasAwaited = this.#isAwaited;
    this.#isAwaited = false;
    return wasAwaited;
  }

  /** A PINGRESP that the broker did not send goes on to mqtt.js. */
  answeredInPlace(): void {
    this.#answers.push(false);
  }

  /**
   * To be asked once for each PINGRESP that mqtt.js gets: whether it says that the broker has processed everything that was
   * sent before the latest ping.
   */
  takeAnswer(): boolean {
    return this.#answers.shift() ?? false;
  }
}
