/** Counts what is still to be made durable of one message; the last of it releases the message. */
export class Receipt {
  #open = 1;
  #deadLettered = false;
  readonly #release: (outcome: 'stored' | 'dead_lettered') => void;

  constructor(release: (outcome: 'stored' | 'dead_lettered') => void) {
    this.#release = release;
  }

  /** One more part has to be durable first. */
  hold(): void {
    this.#open += 1;
  }

  /** One part is durable. The receipt itself counts as one, so that nothing is released while parts are being added. */
  settle(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#release(this.#deadLettered ? 'dead_lettered' : 'stored');
  }

  markDeadLettered(): void {
    this.#deadLettered = true;
  }
}
