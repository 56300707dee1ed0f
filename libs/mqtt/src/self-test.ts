import { randomUUID } from 'node:crypto';
import { ShareTest } from './share-test.ts';
import type { MqttClient } from 'mqtt';
import type { Logger } from 'pino';
import type { MqttMetrics } from './options/mqtt-metrics.ts';

/** Part of all self-test topics, so that no replica treats the test message of another one as a reading. */
const mark = 'engawa-self-test';
/** Reason codes of a PUBACK that last: not authorized, and topic name invalid (MQTT 5, 3.4.2.1). */
const lastingRefusals: readonly unknown[] = [0x87, 0x90];
/** Timeout of a test message, and delay after a failure. */
const timeoutMs = 10_000;
const retryMs = 60_000;

export function isSelfTest(topic: string): boolean {
  return topic.includes(mark);
}

/**
 * A topic that the filter matches and no device uses; undefined where the filter has no wildcard.
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
  group?: string | undefined;
  log: Logger;
  metrics: Pick<MqttMetrics, 'selfTestFailed'>;
  /** Number of received messages, and whether reading is paused. */
  progress: () => { received: number; isPaused: boolean };
  /** Maximum QoS of messages to the broker. */
  maximumQos: () => 0 | 1;
}

/**
 * Publishes a test message to its own subscription: a broker may grant a subscription and deliver
 * nothing, as Mosquitto does with an `acl_file`.
 *
 * With MQTT 5 the broker reports whether it accepted the message; if it did and the message is not
 * delivered, the subscription does not work. A rejected message says nothing about the
 * subscription. With MQTT 3.1.1 the two cannot be told apart, so a missing message is only logged
 * and counted.
 */
export class SelfTest {
  readonly #options: SelfTestOptions;
  #expected: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: string | undefined;
  #receivedBefore = 0;
  /** Packet identifier of the test message until the broker acknowledges it. */
  #messageId: number | undefined;
  /** Whether the broker rejects every test message; then no further one is sent. */
  #isRefused = false;

  /** With MQTT 5 the broker reports whether it supports shared subscriptions. */
  readonly #shareTest: ShareTest | undefined;
  /** Whether the share test of this connection has no result yet. */
  #isShareUnknown = false;

  constructor(options: SelfTestOptions) {
    this.#options = options;
    const { version, group } = options;
    if (version === '3.1.1' && group !== undefined)
      this.#shareTest = new ShareTest({ ...options, group });
  }

  /** Why the latest test failed, or undefined. */
  get failure(): string | undefined {
    if (this.#isShareUnknown)
      return 'the test whether the broker supports shared subscriptions is running';
    return this.#failure;
  }

  start(): void {
    if (this.#isRefused) return;
    if (this.#shareTest === undefined) {
      this.#publish();
      return;
    }
    this.#isShareUnknown = true;
    this.#shareTest.run(() => this.#publish());
  }

  #publish(): void {
    const { client, version, topic, maximumQos } = this.#options;
    const text = randomUUID();
    this.#expected = text;
    this.#receivedBefore = this.#options.progress().received;
    clearTimeout(this.#timer);
    const properties = { messageExpiryInterval: retryMs / 1000 };
    const options = { qos: maximumQos(), ...(version === '5' && { properties }) };
    client.publish(topic, text, options, (error) => {
      this.#messageId = undefined;
      if (this.#expected !== text) return;
      if (!error) this.#expect(timeoutMs);
      else if (lastingRefusals.includes((error as { code?: unknown }).code))
        this.#isNotPermitted(error.message);
      else this.#repeatLater(error.message);
    });
    this.#messageId = client.getLastMessageId();
  }

  /**
   * The connection has ended. Mosquitto 2.0.11 with `max_queued_messages 0` ends it because of a
   * message that is not permitted; sending the message again would end the next connection as well.
   */
  closed(): void {
    this.#shareTest?.closed();
    if (this.#messageId === undefined) return;
    this.#options.client.removeOutgoingMessage(this.#messageId);
    this.#messageId = undefined;
    this.#isNotPermitted('the connection ended before the broker acknowledged it');
  }

  received(topic: string, payload: Buffer): void {
    if (topic !== this.#options.topic || payload.toString() !== this.#expected) return;
    this.stop();
    this.#failure = undefined;
  }

  stop(): void {
    this.#isShareUnknown = false;
    this.#expected = undefined;
    clearTimeout(this.#timer);
  }

  #isNotPermitted(reason: string): void {
    this.stop();
    this.#isRefused = true;
    const { log, topic } = this.#options;
    log.warn(
      { topic, reason },
      'the broker rejects the self-test message, so delivery cannot be checked; permit this client to publish to the topic, or set MQTT_SELF_TEST=off',
    );
  }

  #expect(forMs: number): void {
    this.#timer = setTimeout(() => this.#fail(), forMs).unref();
  }

  #fail(): void {
    const { log, metrics, topic, version, progress } = this.#options;
    const { received, isPaused } = progress();
    if (received > this.#receivedBefore) {
      // A backlog precedes the test message; its messages also prove that the subscription delivers.
      this.stop();
      this.#failure = undefined;
      return;
    }
    if (isPaused) {
      this.#expect(timeoutMs);
      return;
    }
    this.#isShareUnknown = false;
    metrics.selfTestFailed();
    const what = `the broker did not deliver the test message back to this client (${topic})`;
    if (version === '5') {
      this.#failure = `the subscription delivers nothing: ${what}; check whether this user may read the subscribed topics`;
      log.error(this.#failure);
    } else {
      log.error(
        `${what}: check that this user is permitted to publish to the topic and to read the subscribed topics`,
      );
    }
    this.#repeat();
  }

  /** The broker rejects the test message for a reason that may pass, such as an exceeded quota. */
  #repeatLater(reason: string): void {
    this.stop();
    const { log, topic } = this.#options;
    log.warn({ topic, reason }, 'the broker did not accept the self-test message; it is repeated');
    this.#repeat();
  }

  #repeat(): void {
    this.#timer = setTimeout(() => {
      if (this.#options.client.connected) this.start();
    }, retryMs).unref();
  }
}
