/** Below this share of the window it opens again, so that it does not open and close with each message. */
const reopenAt = 0.75;
/** The share of the window that messages of QoS 0 may fill up to; the rest is for those that must not be lost. */
const shareOfQos0 = 0.5;

/**
 * How much may be received and not yet be durable, over all connections that follow one another: a message whose
 * connection has gone is still in memory. When that much is held, nothing is read, and no new connection is opened.
 */
export class Window {
  readonly #messages: number;
  readonly #bytes: number;
  readonly #listeners = new Set<() => void>();
  #held = 0;
  #heldBytes = 0;
  #full = false;

  /** @param bytes of payload, whatever the number of messages */
  constructor(messages: number, bytes: number) {
    this.#messages = messages;
    this.#bytes = bytes;
  }

  get isFull(): boolean {
    return this.#full;
  }

  get hasRoomForQos0(): boolean {
    return this.#used < shareOfQos0;
  }

  /** From 0 to 1, or more where the last message was large. */
  get #used(): number {
    return Math.max(this.#held / this.#messages, this.#heldBytes / this.#bytes);
  }

  add(bytes: number): void {
    this.#held += 1;
    this.#heldBytes += bytes;
    if (!this.#full && this.#used >= 1) this.#turn(true);
  }

  remove(bytes: number): void {
    this.#held -= 1;
    this.#heldBytes -= bytes;
    if (this.#full && this.#used < reopenAt) this.#turn(false);
  }

  /** Calls back whenever it has become full or has opened. @returns what ends that */
  onTurn(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back once there is room: at once, where there is. @returns what ends the waiting */
  whenOpen(callback: () => void): () => void {
    if (!this.#full) {
      callback();
      return () => undefined;
    }
    const stop = this.onTurn(() => {
      if (this.#full) return;
      stop();
      callback();
    });
    return stop;
  }

  #turn(full: boolean): void {
    this.#full = full;
    for (const listener of [...this.#listeners]) listener();
  }
}
