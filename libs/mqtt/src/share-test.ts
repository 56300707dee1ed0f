import type { MqttClient } from 'mqtt';

/** Prefix of the filter of a shared subscription (MQTT 5, 4.8.2); no device publishes to such a topic. */
const prefix = '$share/';

/** Whether the broker has taken the filter of a shared subscription for a filter of such topics. */
export function isLiteralShare(topic: string): boolean {
  return topic.startsWith(prefix);
}

export interface ShareTestOptions {
  client: MqttClient;
  group: string;
  /** Topic of the self-test, which a filter of the group matches. */
  topic: string;
}

/**
 * A message that only a broker without shared subscriptions delivers. Such a broker grants `$share/<group>/<filter>`
 * and takes it for a filter of topics that begin with `$share`. MQTT 3.1.1 has no other sign of that, so a message with
 * such a topic is published before the test message (docs/adr/0101).
 */
export class ShareTest {
  readonly #options: ShareTestOptions;
  /** Packet identifier of the message until the broker acknowledges it. */
  #messageId: number | undefined;
  /** Whether the broker ended a connection because of the message; then it is not sent again. */
  #isRefused = false;

  constructor(options: ShareTestOptions) {
    this.#options = options;
  }

  /** @param done called when the broker has acknowledged the message, or does not accept it */
  run(done: () => void): void {
    if (this.#isRefused) {
      done();
      return;
    }
    const { client, group, topic } = this.#options;
    client.publish(`${prefix}${group}/${topic}`, '', { qos: 1 }, () => {
      this.#messageId = undefined;
      if (!this.#isRefused) done();
    });
    this.#messageId = client.getLastMessageId();
  }

  closed(): void {
    if (this.#messageId === undefined) return;
    this.#isRefused = true;
    this.#options.client.removeOutgoingMessage(this.#messageId);
    this.#messageId = undefined;
  }
}
