import type { Admission } from '../options/admission.ts';

/** Below this share of the window it opens again, so that it does not open and close with each message. */
const reopenAt = 0.75;
/** The share of the window that messages of QoS 0 may fill up to; the rest is for those that must not be lost. */
const shareOfQos0 = 0.5;

/**
 * How much may be received and not yet be durable, over all connections that follow one another: a message whose
 * connection has gone is still in memory. With that many messages held, or all memory taken, nothing is read, and no new
 * connection is opened.
 */
export class Window {
  readonly #messages: number;
  readonly #admission: Admission;
  readonly #listeners = new Set<() => void>();
  #held = 0;
  #hasMost = false;
  #wasFull: boolean;

  /** @param admission memory, shared with the windows of other connections */
  constructor(messages: number, admission: Admission) {
    this.#messages = messages;
    this.#admission = admission;
    this.#wasFull = admission.isFull;
    admission.onTurn(() => this.#update());
  }

  get isFull(): boolean {
    return this.#hasMost || this.#admission.isFull;
  }

  get hasRoomForQos0(): boolean {
    return this.#held < this.#messages * shareOfQos0 && this.#admission.used < shareOfQos0;
  }

  add(): void {
    this.#held += 1;
    if (this.#held >= this.#messages) this.#hasMost = true;
    this.#update();
  }

  remove(): void {
    this.#held -= 1;
    if (this.#held < this.#messages * reopenAt) this.#hasMost = false;
    this.#update();
  }

  /** Calls back whenever it has become full or has opened. @returns what ends that */
  onTurn(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back once there is room: at once, where there is. @returns what ends the waiting */
  whenOpen(callback: () => void): () => void {
    if (!this.isFull) {
      callback();
      return () => undefined;
    }
    const stop = this.onTurn(() => {
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
