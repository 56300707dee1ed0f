/** So often must the broker have stopped at the same number before that is taken for its limit. */
const repetitionsToBelieve = 3;
/** Milliseconds without a message that tell a broker which has stopped from one that is sending. */
const silence = 50;
/** Milliseconds after which a limit is looked for anew: more devices may have come since. */
const lifetime = 300_000;

/**
 * How many messages the broker is willing to have unacknowledged. Nothing in MQTT tells (Mosquitto's own limit is 20), yet
 * waiting for more readings to pack would be waiting for ourselves once that many are held. So it is learned: where
 * the broker falls silent again and again with the very same number in flight, and has never sent more, that is it.
 * Knows no time but what it is told.
 */
export class InFlightLimit {
  readonly #window: number;
  #learned = Infinity;
  #learnedAt = 0;
  /** The most in flight so far: no limit is lower. */
  #most = 0;
  #repetitions = 0;
  #rising = false;
  #receivedAt = 0;

  /** @param window how many messages we are willing to hold ourselves */
  constructor(window: number) {
    this.#window = window;
  }

  /** @param now milliseconds */
  received(inFlight: number, now: number): void {
    this.#rising = true;
    this.#receivedAt = now;
    if (inFlight > this.#most) {
      this.#most = inFlight;
      this.#forget();
    }
    if (this.#learned < Infinity && now - this.#learnedAt > lifetime) this.#forget();
  }

  /** @param inFlight how many there were before this one was released */
  released(inFlight: number, now: number): void {
    if (!this.#rising) return;
    this.#rising = false;
    const hasStopped = inFlight === this.#most && now - this.#receivedAt >= silence;
    this.#repetitions = hasStopped ? this.#repetitions + 1 : 0;
    if (this.#repetitions < repetitionsToBelieve || inFlight === 1) return;
    this.#learned = inFlight;
    this.#learnedAt = now;
  }

  /**
   * Whether to pack what there is, rather than wait for more: when the broker sends nothing until something is acknowledged,
   * or when that is half of our own window, so that the other half comes in while it is written.
   * @param waiting messages that wait to be packed
   */
  reached(waiting: number): boolean {
    return waiting >= Math.min(this.#learned, this.#window / 2);
  }

  #forget(): void {
    this.#learned = Infinity;
    this.#repetitions = 0;
  }
}
