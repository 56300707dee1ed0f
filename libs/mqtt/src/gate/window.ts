import type { Admission } from '../options/admission.ts';

/** Share of the window below which it reopens; less than 1, so that it does not toggle with each message. */
const reopenAt = 0.75;
/** Share of the window for QoS 0 messages; the rest is reserved for QoS 1 messages. */
const shareOfQos0 = 0.5;

/**
 * Limits received messages that are not durable yet, across successive connections: a message of a
 * closed connection is still in memory. While the window or the memory budget is full, nothing is
 * read and no connection is opened.
 */
export class Window {
  readonly #messages: number;
  readonly #admission: Admission;
  readonly #listeners = new Set<() => void>();
  #held = 0;
  #isExhausted = false;
  #wasFull: boolean;

  /** @param admission memory, shared with the windows of other connections */
  constructor(messages: number, admission: Admission) {
    this.#messages = messages;
    this.#admission = admission;
    this.#wasFull = admission.isFull;
    admission.onFullChange(() => this.#update());
  }

  get isFull(): boolean {
    return this.#isExhausted || this.#admission.isFull;
  }

  get hasRoomForQos0(): boolean {
    return this.#held < this.#messages * shareOfQos0 && this.#admission.used < shareOfQos0;
  }

  add(): void {
    this.#held += 1;
    if (this.#held >= this.#messages) this.#isExhausted = true;
    this.#update();
  }

  remove(): void {
    this.#held -= 1;
    if (this.#held < this.#messages * reopenAt) this.#isExhausted = false;
    this.#update();
  }

  /** Calls back whenever it becomes full or reopens. @returns a function that ends the callbacks */
  onFullChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back once there is room, possibly immediately. @returns a function that cancels the callback */
  whenOpen(callback: () => void): () => void {
    if (!this.isFull) {
      callback();
      return () => undefined;
    }
    const stop = this.onFullChange(() => {
      if (this.isFull) return;
      stop();
      callback();
    });
    return stop;
  }

  #update(): void {
    if (this.isFull === this.#wasFull) return;
    this.#wasFull = this.isFull;
    for (const listener of [...this.#listeners]) listener();
  }
}
