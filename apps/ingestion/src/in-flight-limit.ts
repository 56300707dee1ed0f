/** So often must the same peak return before it is taken for the broker's limit. */
const repetitionsToBelieve = 3;

/**
 * How many messages the broker is willing to have unacknowledged. Nothing in MQTT tells (Mosquitto's own limit is 20), yet
 * waiting for more readings to pack would be waiting for ourselves once that many are held. So it is learned: where
 * the number in flight rises to the very same peak again and again, the broker has stopped there. One more message
 * than that, and it is forgotten.
 */
export class InFlightLimit {
  readonly #window: number;
  #learned = Infinity;
  #peak = 0;
  #repetitions = 0;
  #rising = false;

  /** @param window how many messages we are willing to hold ourselves */
  constructor(window: number) {
    this.#window = window;
  }

  received(inFlight: number): void {
    this.#rising = true;
    if (inFlight > this.#learned) this.#learned = Infinity;
  }

  /** @param inFlight how many there were before this one was released */
  released(inFlight: number): void {
    if (!this.#rising) return;
    this.#rising = false;
    this.#repetitions = inFlight === this.#peak ? this.#repetitions + 1 : 1;
    this.#peak = inFlight;
    if (this.#repetitions >= repetitionsToBelieve && inFlight > 1) this.#learned = inFlight;
  }

  /**
   * Whether to pack what there is, rather than wait for more: when that is half of what the broker, or our own window, lets
   * in. The other half is being written meanwhile.
   * @param waiting messages that wait to be packed
   */
  reached(waiting: number): boolean {
    return waiting >= Math.min(this.#learned, this.#window) / 2;
  }
}
