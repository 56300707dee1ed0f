import { randomUUID } from 'node:crypto';
import type { MqttClient } from 'mqtt';
import type { Logger } from 'pino';
import type { MqttMetrics } from './options/mqtt-metrics.ts';

/** Every topic of a self test has it, so that no replica takes the message of another one for a reading. */
const mark = 'engawa-self-test';
/** How long a message to ourselves may take, and how long after a failure the next one is sent. */
const timeoutMs = 10_000;
const retryMs = 60_000;

export function isSelfTest(topic: string): boolean {
  return topic.includes(mark);
}

/**
 * A topic that the filter matches and that no device has; undefined where the filter has no wildcard.
 * @param filter a topic filter, or a topic that has `engawa-self-test` in it
 */
export function selfTestTopic(filter: string, clientId: string): string | undefined {
  const name = `${mark}-${clientId.replace(/[/+#\0]/g, '_')}`;
  if (filter.includes(mark)) return filter.replace(mark, name);
  const topic = filter.replace(/[+#]/, name).replace(/[+#]/g, mark);
  return topic.includes(mark) ? topic : undefined;
}

export interface SelfTestOptions {
  client: MqttClient;
  version: '5' | '3.1.1';
  topic: string;
  log: Logger;
  metrics: Pick<MqttMetrics, 'selfTestFailed'>;
  /** Messages so far, and whether the connection is not read for now. */
  progress: () => { received: number; isPaused: boolean };
}

/**
 * Sends a message to itself: a broker may grant a subscription and deliver nothing, as Mosquitto does with an `acl_file`.
 *
 * With MQTT 5 the broker says whether it has taken the message; if so and it does not come back, the subscription does not
 * work. A broker that refuses the message has told nothing of the subscription. With MQTT 3.1.1 the two cannot be told apart, so that is
 * only logged and counted.
 */
export class SelfTest {
  readonly #options: SelfTestOptions;
  #expected: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: string | undefined;
  #receivedBefore = 0;
  /** Packet identifier of the message while the broker has not acknowledged it. */
  #messageId: number | undefined;
  /** Whether the broker does not let us publish: then no further test is made. */
  #isRefused = false;

  constructor(options: SelfTestOptions) {
    this.#options = options;
  }

  /** What the latest test says of the subscription, or undefined. */
  get failure(): string | undefined {
    return this.#failure;
  }

  start(): void {
    if (this.#isRefused) return;
    const { client, version, topic } = this.#options;
    const text = randomUUID();
    this.#expected = text;
    this.#receivedBefore = this.#options.progress().received;
    clearTimeout(this.#timer);
    const properties = { messageExpiryInterval: retryMs / 1000 };
    client.publish(topic, text, { qos: 1, ...(version === '5' && { properties }) }, (error) => {
      this.#messageId = undefined;
      if (this.#expected !== text) return;
      if (!error) this.#expect(timeoutMs);
      else this.#isNotPermitted(error.message);
    });
    this.#messageId = client.getLastMessageId();
  }

  /**
   * The connection has ended. Mosquitto 2.0.11 ends it, with `max_queued_messages 0`, because of a message that is not permitted:
   * sending it again would end the next one, too.
   */
  closed(): void {
    if (this.#messageId === undefined) return;
    this.#options.client.removeOutgoingMessage(this.#messageId);
    this.#messageId = undefined;
    this.#isNotPermitted('the connection ended before the broker acknowledged it');
  }

  heard(topic: string, payload: Buffer): void {
    if (topic !== this.#options.topic || payload.toString() !== this.#expected) return;
    this.stop();
    this.#failure = undefined;
  }

  stop(): void {
    this.#expected = undefined;
    clearTimeout(this.#timer);
  }

  #isNotPermitted(reason: string): void {
    this.stop();
    this.#isRefused = true;
    const { log, topic } = this.#options;
    log.warn(
      { topic, reason },
      'the self test may not publish, so it is not known whether the subscription delivers; permit it, or set MQTT_SELF_TEST=off',
    );
  }

  #expect(forMs: number): void {
    this.#timer = setTimeout(() => this.#fail(), forMs).unref();
  }

  #fail(): void {
    const { log, metrics, topic, version, client, progress } = this.#options;
    const { received, isPaused } = progress();
    if (received > this.#receivedBefore) {
      // A backlog stands before our message, which shows as well that the subscription delivers.
      this.stop();
      this.#failure = undefined;
      return;
    }
    if (isPaused) {
      this.#expect(timeoutMs);
      return;
    }
    metrics.selfTestFailed();
    const what = `a message to itself (${topic}) did not come back`;
    if (version === '5') {
      this.#failure = `the subscription delivers nothing: ${what}; may this user read what it subscribes to?`;
      log.error(this.#failure);
    } else {
      log.error(`${what}: this user may not publish it, or not read what it subscribes to`);
    }
    this.#timer = setTimeout(() => {
      if (client.connected) this.start();
    }, retryMs).unref();
  }
}
