import { setTimeout as sleep } from 'node:timers/promises';
import { MqttClient, ReasonCodes } from 'mqtt';
import { AcknowledgementGate } from './acknowledgement-gate.ts';
import { clientOptions, subscriptions } from './client-options.ts';
import { leaveGroup } from './leave-group.ts';
import { openSocket } from './open-socket.ts';
import { retryDelay } from './retry-delay.ts';
import { troubleOf } from './trouble.ts';
import { Window } from './window.ts';
import type { IConnackPacket, IPublishPacket } from 'mqtt';
import type { Message } from './message.ts';
import type { SubscriberOptions } from './subscriber-options.ts';

/** Bytes of payload that may be held unacknowledged, whatever the window. */
const windowBytes = 64 * 1024 * 1024;
/** Milliseconds that a connection must have lasted for the next to be opened without delay. */
const steadyTime = 10_000;
/** Milliseconds that closing waits for the last acknowledgements, and for the broker. */
const closingTime = 2000;

/** A subscription whose acknowledgements are its caller's to give. It reconnects for ever. */
export class Subscriber {
  readonly #options: SubscriberOptions;
  readonly #client: MqttClient;
  readonly #filters: string[];
  readonly #held = new Set<Message>();
  readonly #window: Window;
  #gate: AcknowledgementGate | undefined;
  #attempts = 0;
  #refusals = 0;
  #subscribedAt = Infinity;
  #received = 0;
  #connectedBefore = false;
  #closing = false;
  /** Closing ends the membership in the group, also over a connection that comes only then. */
  #leaving = false;
  /** Closing has come so far that messages are not taken any more. */
  #deaf = false;
  #trouble: string | undefined;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    const { topics, unsharedTopics = [], group } = options;
    const shared = topics.map((topic) =>
      group === undefined ? topic : `$share/${group}/${topic}`,
    );
    this.#filters = [...shared, ...unsharedTopics];
    this.#window = new Window(options.window, windowBytes);
    this.#trouble = `not connected to ${this.#address}`;
    this.#client = new MqttClient(() => this.#open(), clientOptions(options));
    this.#client.on('connect', (packet) => this.#connected(packet));
    this.#client.on('message', (topic, payload, packet) => this.#receive(topic, payload, packet));
    this.#client.on('error', (error) => this.#failed(troubleOf(error)));
    this.#client.on('disconnect', ({ reasonCode }) => this.#dismissed(reasonCode));
    this.#client.on('close', () => this.#closed());
    options.metrics.watch({
      connected: () => this.#client.connected,
      oldestUnacknowledgedAt: () => this.#held.values().next().value?.receivedAt,
    });
  }

  /** What keeps messages from coming in, or undefined. */
  missing(): string | undefined {
    if (this.#client.connected || !this.#window.isFull) return this.#trouble;
    return `not connected to ${this.#address}: as many messages are held as may be, until some are durable`;
  }

  unacknowledged(): number {
    return this.#held.size;
  }

  /**
   * Takes no more messages, and resolves when those that are held have been released; or when the signal aborts.
   * In a group the subscription ends first, so that the others get what comes; what the broker has queued for this member
   * would wait for it, so that is still taken. Who stays in the group, or has none, is expected back: the broker goes on
   * queueing for it.
   */
  async drain(signal: AbortSignal): Promise<void> {
    const { group, staysInGroup = false } = this.#options;
    this.#closing = true;
    this.#leaving = group !== undefined && !staysInGroup;
    if (this.#leaving && this.#client.connected) {
      const progress = () => ({
        received: this.#received,
        settled: this.#held.size === 0 && this.#gate?.flushed === true,
      });
      await leaveGroup(this.#client, this.#filters, progress, signal).catch((error: unknown) => {
        if (!signal.aborted) this.#options.log.warn({ err: error }, 'the group could not be left');
      });
    }
    this.#pause();
    while (this.#held.size > 0 && !signal.aborted) await sleep(5);
  }

  /** Sends the acknowledgements that may leave, and says goodbye. */
  async close(): Promise<void> {
    this.#pause();
    const deadline = Date.now() + closingTime;
    while (this.#gate?.flushed === false && this.#client.connected && Date.now() < deadline)
      await sleep(5);
    // What the broker says to a goodbye is to be heard; messages among it stay unacknowledged, and come again.
    this.#deaf = true;
    this.#gate?.readToEnd();
    const ended = this.#client.endAsync(!this.#client.connected);
    await Promise.race([ended, sleep(closingTime, undefined, { ref: false })]);
    this.#gate?.destroy();
  }

  #pause(): void {
    this.#closing = true;
    this.#gate?.pauseReading();
  }

  get #address(): string {
    const { protocol, host } = new URL(this.#options.url);
    return `${protocol}//${host}`;
  }

  #open(): AcknowledgementGate {
    this.#gate = new AcknowledgementGate({
      open: () => openSocket(this.#options),
      window: this.#window,
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
    if (this.#leaving) this.#client.unsubscribe(this.#filters);
    else this.#subscribe();
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
    this.#refusals = 0;
    this.#subscribedAt = Date.now();
    this.#trouble = undefined;
    this.#options.log.info({ topics: this.#filters }, `subscribed at ${this.#address}`);
  }

  #refused(topic: string, reason = 'not granted QoS 1'): void {
    this.#trouble = `the subscription to ${topic} was refused: ${reason}`;
    this.#options.log.error(this.#trouble);
    this.#refusals += 1;
    const gate = this.#gate;
    setTimeout(() => {
      if (this.#client.connected && this.#gate === gate && !this.#closing) this.#subscribe();
    }, retryDelay(this.#refusals)).unref();
  }

  #receive(topic: string, payload: Buffer, packet: IPublishPacket): void {
    const isQos1 = packet.qos === 1;
    this.#received += 1;
    // Of QoS 0 nothing comes again: what is not taken is gone, also while we are deaf.
    if (!isQos1 && (this.#deaf || !this.#window.hasRoomForQos0)) {
      this.#options.metrics.dropped();
      this.#options.onDropped?.(topic);
      return;
    }
    const letGo = this.#gate?.hold(payload.length, isQos1 ? packet.messageId : undefined);
    if (this.#deaf) return;
    const message: Message = {
      topic,
      payload,
      qos: isQos1 ? 1 : 0,
      retained: packet.retain,
      duplicate: packet.dup,
      session: this.#options.clientId,
      messageId: isQos1 ? packet.messageId : undefined,
      userProperties: packet.properties?.userProperties,
      receivedAt: Date.now(),
      release: () => {
        if (this.#held.delete(message)) this.#options.metrics.released();
        letGo?.();
      },
    };
    this.#held.add(message);
    this.#options.metrics.taken();
    this.#options.onMessage(message);
  }

  /** Said once, and again when it changes; of a connection that is being closed, not at all. */
  #failed(reason: string): void {
    const trouble = `cannot connect to ${this.#address}: ${reason}`;
    const isKnown = this.#trouble === trouble || this.#window.isFull;
    if (this.#closing || isKnown) this.#options.log.debug(trouble);
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
    // While draining, what another connection brings is for whoever comes after us.
    if (this.#closing) this.#deaf = true;
    // One that never lasts, as where two clients have the same identifier, is not opened again at once.
    if (Date.now() - this.#subscribedAt > steadyTime) this.#attempts = 0;
    this.#subscribedAt = Infinity;
    this.#attempts += 1;
    this.#client.options.reconnectPeriod = retryDelay(this.#attempts);
    if (this.#closing || this.#trouble !== undefined) return;
    this.#trouble = `the connection to ${this.#address} is lost`;
    this.#options.log.warn(this.#trouble);
  }
}
