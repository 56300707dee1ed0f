import { setTimeout as sleep } from 'node:timers/promises';
import { MqttClient, ReasonCodes } from 'mqtt';
import { AcknowledgementGate } from './acknowledgement-gate.ts';
import { clientOptions, subscriptions } from './client-options.ts';
import { openSocket } from './open-socket.ts';
import { retryDelay } from './retry-delay.ts';
import { troubleOf } from './trouble.ts';
import type { IConnackPacket, IPublishPacket } from 'mqtt';
import type { Logger } from 'pino';
import type { MqttMetrics } from './mqtt-metrics.ts';
import type { SocketOptions } from './open-socket.ts';

/** A message that the broker brought. */
export interface Message {
  topic: string;
  payload: Buffer;
  qos: 0 | 1;
  retained: boolean;
  /** Whether the broker may have brought it before. */
  duplicate: boolean;
  /** MQTT 5 user properties, where there were any. */
  userProperties: Record<string, string | string[]> | undefined;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** Says that the message is durable: it may be acknowledged now. */
  release(): void;
}

export interface SubscriberOptions extends SocketOptions {
  version: '5' | '3.1.1';
  clientId?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  /** Topic filters. */
  topics: readonly string[];
  /** Replicas with the same group share the messages. */
  group?: string | undefined;
  sessionExpirySeconds: number;
  /** Messages that may be held unacknowledged. */
  window: number;
  keepaliveSeconds: number;
  maxPacketBytes: number;
  onMessage: (message: Message) => void;
  log: Logger;
  metrics: MqttMetrics;
}

/** Bytes of payload that may be held unacknowledged, whatever the window. */
const windowBytes = 64 * 1024 * 1024;
/** Milliseconds that closing waits for the last acknowledgements, and for the broker. */
const closingTime = 2000;

/** A subscription whose acknowledgements are its caller's to give. It reconnects for ever. */
export class Subscriber {
  readonly #options: SubscriberOptions;
  readonly #client: MqttClient;
  readonly #filters: string[];
  readonly #held = new Set<Message>();
  #gate: AcknowledgementGate | undefined;
  #attempts = 0;
  #connectedBefore = false;
  #closing = false;
  /** Closing has come so far that messages are not taken any more. */
  #deaf = false;
  #trouble: string | undefined;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    const { topics, group } = options;
    this.#filters = topics.map((topic) =>
      group === undefined ? topic : `$share/${group}/${topic}`,
    );
    this.#trouble = `not connected to ${this.#address}`;
    this.#client = new MqttClient(() => this.#open(), clientOptions(options));
    this.#client.on('connect', (packet) => this.#connected(packet));
    this.#client.on('message', (topic, payload, packet) => this.#receive(topic, payload, packet));
    this.#client.on('error', (error) => this.#failed(troubleOf(error)));
    this.#client.on('disconnect', ({ reasonCode }) => this.#dismissed(reasonCode));
    this.#client.on('close', () => this.#closed());
    options.metrics.watch({
      connected: () => this.#client.connected,
      unacknowledged: () => this.#held.size,
      oldestUnacknowledgedAt: () => this.#held.values().next().value?.receivedAt,
    });
  }

  /** What keeps messages from coming in, or undefined. */
  missing(): string | undefined {
    return this.#trouble;
  }

  unacknowledged(): number {
    return this.#held.size;
  }

  /** Takes no more messages from the broker; those that are held can still be released. */
  pause(): void {
    this.#closing = true;
    this.#gate?.pauseReading();
  }

  /**
   * Sends the acknowledgements that may leave, and says goodbye. The subscription stays: the broker goes on queueing for
   * this client, which is expected back. In a group the others would not get those messages, so there it ends.
   */
  async close(): Promise<void> {
    this.pause();
    const deadline = Date.now() + closingTime;
    while (this.#gate?.flushed === false && this.#client.connected && Date.now() < deadline)
      await sleep(5);
    // What the broker says to a goodbye is to be heard; messages among it stay unacknowledged, and come again.
    this.#deaf = true;
    this.#gate?.readToEnd();
    if (this.#options.group !== undefined && this.#client.connected) {
      this.#client.unsubscribe(this.#filters);
    }
    const ended = this.#client.endAsync(!this.#client.connected);
    await Promise.race([ended, sleep(closingTime, undefined, { ref: false })]);
    this.#gate?.destroy();
  }

  get #address(): string {
    const { protocol, host } = new URL(this.#options.url);
    return `${protocol}//${host}`;
  }

  #open(): AcknowledgementGate {
    this.#gate = new AcknowledgementGate({
      socket: openSocket(this.#options),
      window: this.#options.window,
      windowBytes,
      onStray: (messageId) =>
        this.#options.log.warn(
          { messageId },
          'an acknowledgement of another connection was held back',
        ),
    });
    // mqtt.js gives out only those errors that have a code.
    this.#gate.on('error', (error) => this.#failed(troubleOf(error)));
    return this.#gate;
  }

  #connected({ sessionPresent }: IConnackPacket): void {
    this.#options.metrics.connected();
    if (this.#connectedBefore && !sessionPresent) {
      this.#options.metrics.sessionLost();
      this.#options.log.warn('the broker has forgotten the session, and what it had queued for it');
    }
    this.#connectedBefore = true;
    this.#subscribe();
  }

  /** Also where the session is there: what was subscribed in it may not be what is configured now. */
  #subscribe(): void {
    this.#client.subscribe(subscriptions(this.#filters), (error, _, suback) => {
      // A code for each filter, in their order [MQTT-3.9.3-1]; what mqtt.js makes of it names none when one is refused.
      const codes = suback?.granted.map(Number) ?? [];
      const index = codes.findIndex((code) => code !== 1);
      if (error === null && index === -1) this.#subscribed();
      else if (this.#client.connected)
        this.#refused(this.#filters[index] ?? this.#filters.join(', '), error?.message);
    });
  }

  #subscribed(): void {
    this.#attempts = 0;
    this.#client.options.reconnectPeriod = retryDelay(1);
    this.#trouble = undefined;
    this.#options.log.info({ topics: this.#filters }, `subscribed at ${this.#address}`);
  }

  #refused(topic: string, reason = 'not granted QoS 1'): void {
    this.#trouble = `the subscription to ${topic} was refused: ${reason}`;
    this.#options.log.error(this.#trouble);
    this.#attempts += 1;
    const gate = this.#gate;
    setTimeout(() => {
      if (this.#client.connected && this.#gate === gate && !this.#closing) this.#subscribe();
    }, retryDelay(this.#attempts)).unref();
  }

  #receive(topic: string, payload: Buffer, packet: IPublishPacket): void {
    const isQos1 = packet.qos === 1;
    const letGo = this.#gate?.hold(payload.length, isQos1 ? packet.messageId : undefined);
    if (this.#deaf) return;
    const message: Message = {
      topic,
      payload,
      qos: isQos1 ? 1 : 0,
      retained: packet.retain,
      duplicate: packet.dup,
      userProperties: packet.properties?.userProperties,
      receivedAt: Date.now(),
      release: () => {
        this.#held.delete(message);
        letGo?.();
      },
    };
    this.#held.add(message);
    this.#options.onMessage(message);
  }

  /** Said once, and again when it changes; of a connection that is being closed, not at all. */
  #failed(reason: string): void {
    const trouble = `cannot connect to ${this.#address}: ${reason}`;
    if (this.#closing || this.#trouble === trouble) this.#options.log.debug(trouble);
    else this.#options.log.warn(trouble);
    this.#trouble = trouble;
  }

  /** MQTT 5 only: why the broker ends the connection, such as another client with our identifier [MQTT 3.14.2.1]. */
  #dismissed(reasonCode = 0): void {
    const reason = ReasonCodes[reasonCode as keyof typeof ReasonCodes];
    this.#trouble = `the connection to ${this.#address} was ended by the broker: ${reason}`;
    this.#options.log.warn(this.#trouble);
  }

  #closed(): void {
    // A release that is still to come does nothing any more; the broker brings those messages again.
    this.#held.clear();
    // While draining, what another connection brings is for whoever comes after us.
    if (this.#closing) this.#deaf = true;
    this.#attempts += 1;
    this.#client.options.reconnectPeriod = retryDelay(this.#attempts);
    if (this.#closing || this.#trouble !== undefined) return;
    this.#trouble = `the connection to ${this.#address} is lost`;
    this.#options.log.warn(this.#trouble);
  }
}
