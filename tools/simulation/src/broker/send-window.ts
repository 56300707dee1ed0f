import { maxPacketId } from './packet-ids.ts';
import type { InFlightRules } from './profile.ts';

/** The number of messages of QoS 1 and 2 that may be unacknowledged on a connection (MQTT 5, 4.9). */
export class SendWindow {
  readonly #rules: InFlightRules;
  #receiveMaximum: number | undefined;
  #isFirstAcknowledged = false;
  #quota = 0;

  constructor(rules: InFlightRules) {
    this.#rules = rules;
  }

  get hasRoom(): boolean {
    return this.#quota > 0;
  }

  /** Starts the window of a new connection. @param receiveMaximum from the client's CONNECT */
  open(receiveMaximum: number | undefined): void {
    this.#receiveMaximum = receiveMaximum;
    this.#isFirstAcknowledged = false;
    this.#quota = this.#size;
  }

  sent(): void {
    this.#quota = Math.max(0, this.#quota - 1);
  }

  /**
   * @param before counts the unacknowledged messages that were sent before the acknowledged one
   * @param unacknowledged number of messages still unacknowledged
   * @returns number of messages that may be sent now regardless of the quota
   */
  acknowledged(before: () => number, unacknowledged: number): number {
    const isFirst = !this.#isFirstAcknowledged;
    this.#isFirstAcknowledged = true;
    this.#quota = isFirst
      ? Math.max(this.#quota, this.#size - unacknowledged)
      : Math.min(this.#size, this.#quota + 1);
    return this.#rules.acknowledgementFrees === 'one' ? 0 : this.#size - before();
  }

  get #size(): number {
    const { max, receiveMaximum: rule, maxAtFirst } = this.#rules;
    if (!this.#isFirstAcknowledged && maxAtFirst > 0) return maxAtFirst;
    const own = max === 0 ? maxPacketId : max;
    const wanted = this.#receiveMaximum;
    if (rule === 'ignored' || wanted === undefined) return own;
    return rule === 'replaces' ? wanted : Math.min(own, wanted);
  }
}
