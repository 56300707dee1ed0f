import { RedeliverableMessage } from './redeliverable-message.ts';

/**
 * Which messages with the retain flag repeat messages of the same session. MQTT 3.1.1 cannot subscribe without a replay
 * of retained messages (MQTT 5: Retain Handling). Retained messages from before the session are received once, in the
 * first replay; later ones are received when they are published. So in a resumed session all replayed messages are
 * known, if this process started with that session present or has received the whole first replay.
 *
 * The flag alone does not show a replay: a broker or bridge that keeps it as published sets it in live messages, too.
 * Each topic has one retained message, so another one on the same connection is no replay.
 */
export class RetainedReplays {
  readonly #isReplayedOnResuming: boolean;
  readonly #maxTopics: number;
  /** Whether every replayed retained message was received before in the same session. */
  #allAreRepeats: boolean | undefined;
  /** Whether the latest ping was sent when all subscriptions had been granted. */
  #wasSubscribedAtPing = false;
  /** Whether all retained messages from before the session have been received. */
  #hasReceivedAll = false;
  /** By topic: the messages that were replayed on this connection. */
  #replayed = new Map<string, RedeliverableMessage>();

  /** @param maxTopics topics that are remembered; messages of further topics are no repeats */
  constructor({ version, maxTopics }: { version: '5' | '3.1.1'; maxTopics: number }) {
    this.#isReplayedOnResuming = version === '3.1.1';
    this.#maxTopics = maxTopics;
  }

  connected(sessionPresent: boolean): void {
    const isFirst = this.#allAreRepeats === undefined;
    const isKnown = isFirst || this.#hasReceivedAll || this.#allAreRepeats === true;
    this.#allAreRepeats = sessionPresent && this.#isReplayedOnResuming && isKnown;
    this.#hasReceivedAll &&= sessionPresent;
    this.#wasSubscribedAtPing = false;
    this.#replayed = new Map();
  }

  pingSent({ isSubscribed }: { isSubscribed: boolean }): void {
    this.#wasSubscribedAtPing = isSubscribed;
  }

  /** The broker has answered a ping, and had nothing left to deliver. */
  drained(): void {
    if (this.#wasSubscribedAtPing) this.#hasReceivedAll = true;
  }

  /** The durable message that a message with the retain flag repeats. */
  find(topic: string, payload: Buffer): RedeliverableMessage | undefined {
    if (this.#allAreRepeats !== true) return undefined;
    const known = this.#replayed.get(topic);
    if (known !== undefined) return known.equals(topic, payload) ? known : undefined;
    if (this.#replayed.size >= this.#maxTopics) return undefined;
    const durable = new RedeliverableMessage(topic, payload);
    durable.markDurable();
    this.#replayed.set(topic, durable);
    return durable;
  }
}
