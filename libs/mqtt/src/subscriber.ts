import { setTimeout as sleep } from 'node:timers/promises';
import { MqttClient } from 'mqtt';
import { AcknowledgementGate } from './gate/acknowledgement-gate.ts';
import { BrokerLimits } from './connection/broker-limits.ts';
import { conflictOver, ConnectionStatus } from './connection/connection-status.ts';
import { isAccepted } from './connection/connack.ts';
import { clientOptions } from './client-options.ts';
import { leaveGroup } from './subscriptions/leave-group.ts';
import { openSocket } from './connection/open-socket.ts';
import { Receiver } from './messages/receiver.ts';
import { ReconnectDelay } from './connection/reconnect-delay.ts';
import { isSelfTest, SelfTest } from './self-test.ts';
import { isLiteralShare } from './share-test.ts';
import { Subscriptions } from './subscriptions/subscriptions.ts';
import { describeConnectionError } from './connection/connection-error.ts';
import { Window } from './gate/window.ts';
import type { IConnackPacket, Packet } from 'mqtt';
import type { SubscriberOptions } from './options/subscriber-options.ts';

/** Timeouts of closing: for the last acknowledgements, and for the response of the broker. */
const closingTimeMs = 2000;

/** A subscription whose messages the caller acknowledges when they are durable. It reconnects without end. */
export class Subscriber {
  readonly #options: SubscriberOptions;
  readonly #client: MqttClient;
  readonly #status: ConnectionStatus;
  readonly #limits: BrokerLimits;
  readonly #subscriptions: Subscriptions;
  readonly #receiver: Receiver;
  /** Whether the broker has accepted the current connection. */
  #isAccepted = false;
  /** Whether the broker has granted all subscriptions of this connection. */
  #isSubscribed = false;
  readonly #selfTest: SelfTest | undefined;
  readonly #window: Window;
  readonly #reconnectDelay: ReconnectDelay;
  #gate: AcknowledgementGate | undefined;
  /** Connections that the broker accepted. */
  #connections = 0;
  #closing = false;
  /** Whether closing leaves the shared-subscription group, also over a connection that is established later. */
  #leaving = false;
  /** Whether `drain` has left the group: the broker has nothing more for this client. */
  hasLeftGroup = false;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    this.#status = new ConnectionStatus(options);
    this.#limits = new BrokerLimits(options);
    this.#window = new Window(options.window, options.admission);
    this.#receiver = new Receiver(
      { ...options, ignores: (topic, payload) => this.#ignores(topic, payload) },
      this.#window,
    );
    this.#reconnectDelay = new ReconnectDelay(() => options.metrics.takenOver());
    this.#client = new MqttClient(() => this.#open(), clientOptions(options));
    const { selfTestTopic: topic, unsharedTopics = [] } = options;
    const maximumQos = () => (this.#limits.has('maximum_qos') ? 0 : 1);
    const broker = { ...options, client: this.#client, maximumQos };
    const isPaused = () => this.#window.isFull || this.#closing;
    const progress = () => ({ received: this.#receiver.received, isPaused: isPaused() });
    this.#selfTest = topic === undefined ? undefined : new SelfTest({ ...broker, topic, progress });
    this.#subscriptions = new Subscriptions({
      ...broker,
      unsharedTopics: topic === undefined ? unsharedTopics : [...unsharedTopics, topic],
      isCurrent: (connection) =>
        this.#client.connected && this.#connections === connection && !this.#leaving,
      onSubscribed: () => this.#subscribed(),
      onRefused: (reason) => this.#status.refused(reason),
    });
    this.#listen();
    options.metrics.watch({
      connected: () => this.#client.connected,
      oldestUnacknowledgedAt: () => this.#receiver.oldestUnacknowledgedAt,
      hasLimit: (limit) => this.#limits.has(limit),
    });
  }

  /** Why no messages are received, or undefined while they are. */
  unavailableReason(): string | undefined {
    if (this.#client.connected || !this.#window.isFull) {
      return this.#status.reason ?? this.#limits.silenceReason ?? this.#selfTest?.failure;
    }
    return `not connected to ${this.#status.address}: MQTT_WINDOW messages are not durable yet`;
  }

  /** How the broker restricts the configuration, or undefined. Messages may be received all the same. */
  limitation(): string | undefined {
    return this.#limits.reason;
  }

  /** That another client keeps ending the connections of this one, or undefined. */
  conflict(): string | undefined {
    if (!this.#reconnectDelay.isInConflict) return undefined;
    return conflictOver(this.#options.clientId);
  }

  /** Publishes at QoS 0 where a connection is established. @returns whether one is */
  publish(topic: string, payload: Buffer): boolean {
    if (!this.#client.connected || this.#closing) return false;
    this.#client.publish(topic, payload, { qos: 0 });
    return true;
  }

  unacknowledged(): number {
    return this.#receiver.unacknowledged;
  }

  /**
   * Stops receiving, and resolves when all unacknowledged messages are released, or when the signal aborts. A member
   * of a group unsubscribes first, so that the other members receive further messages, and still receives the messages
   * that the broker has queued for it. With `staysInGroup`, or without a group, the broker keeps queueing messages for
   * this client until it returns.
   */
  async drain(signal: AbortSignal): Promise<void> {
    const { group, staysInGroup = false } = this.#options;
    this.#closing = true;
    this.#leaving = group !== undefined && !staysInGroup;
    if (this.#leaving && this.#client.connected) {
      const isSettled = () => this.unacknowledged() === 0 && this.#gate?.flushed === true;
      const progress = () => ({ received: this.#receiver.received, settled: isSettled() });
      const { filters } = this.#subscriptions;
      const leaving = { progress, signal, log: this.#options.log };
      this.hasLeftGroup = await leaveGroup(this.#client, filters, leaving);
    }
    this.#pause();
    while (this.unacknowledged() > 0 && !signal.aborted) await sleep(5);
  }

  /** Sends the remaining acknowledgements of durable messages, and disconnects. */
  async close(): Promise<void> {
    this.#pause();
    const deadline = performance.now() + closingTimeMs;
    const isFlushing = () => this.#gate?.flushed === false && this.#client.connected;
    while (isFlushing() && performance.now() < deadline) await sleep(5);
    // Reads on for the broker's response to DISCONNECT; messages before it stay unacknowledged and are redelivered.
    this.#receiver.isDiscarding = true;
    this.#gate?.readToEnd();
    const ended = this.#client.endAsync(!this.#client.connected);
    await Promise.race([ended, sleep(closingTimeMs, undefined, { ref: false })]);
    this.#gate?.destroy();
  }

  #listen(): void {
    this.#client.on('packetreceive', (packet) => this.#packetReceived(packet));
    this.#client.on('connect', (packet) => this.#connected(packet));
    this.#client.on('message', (topic, payload, packet) => {
      // A broker that sends a message before its CONNACK has not said which session the message is of.
      if (this.#gate !== undefined && this.#isAccepted)
        this.#receiver.receive(topic, payload, packet, this.#gate);
    });
    this.#client.on('error', (error) => this.#failed(error));
    this.#client.on('disconnect', ({ reasonCode }) => this.#disconnectedByBroker(reasonCode));
    this.#client.on('close', () => this.#closed());
  }

  /** Test messages of other replicas are received as well. */
  #ignores(topic: string, payload: Buffer): boolean {
    if (isSelfTest(topic)) {
      if (isLiteralShare(topic)) this.#limits.takesShareForTopic();
      this.#selfTest?.received(topic, payload);
      return true;
    }
    return this.#options.ignores?.(topic, payload) ?? false;
  }

  #pause(): void {
    this.#closing = true;
    this.#selfTest?.stop();
    this.#gate?.pauseReading();
  }

  #open(): AcknowledgementGate {
    this.#isAccepted = false;
    this.#isSubscribed = false;
    this.#gate = new AcknowledgementGate({
      open: () => openSocket(this.#options),
      window: this.#window,
      inFlight: this.#options.inFlight,
      onStray: (messageId) =>
        this.#options.log.warn(
          { messageId },
          'acknowledgement of a former connection was discarded',
        ),
      onPing: (oldest) => {
        this.#receiver.pingSent(oldest, { isSubscribed: this.#isSubscribed });
      },
    });
    // mqtt.js emits only errors that have a code.
    this.#gate.on('error', (error) => this.#failed(error));
    return this.#gate;
  }

  /** Handles packets in the order of receipt: mqtt.js emits 'connect' after messages that follow the CONNACK. */
  #packetReceived(packet: Packet): void {
    // A refusal says nothing about the session; and mqtt.js ends a connection with a second CONNACK.
    if (packet.cmd === 'connack' && isAccepted(packet) && !this.#isAccepted) {
      this.#isAccepted = true;
      this.#receiver.connected(packet.sessionPresent);
    }
    if (packet.cmd === 'pingresp' && this.#gate?.pings.takeAnswer() === true)
      this.#receiver.pingAnswered();
  }

  #connected(connack: IConnackPacket): void {
    const { sessionPresent } = connack;
    this.#limits.connected(connack);
    this.#options.metrics.connected();
    this.#connections += 1;
    const isFirst = this.#connections === 1;
    if (!isFirst && !sessionPresent) {
      this.#options.metrics.sessionLost();
      this.#options.log.warn('the broker lost the session, and the messages queued in it');
    }
    this.#options.onConnected?.({ sessionPresent, isFirst });
    if (this.#leaving) this.#client.unsubscribe([...this.#subscriptions.filters]);
    else this.#subscriptions.connected(this.#connections, connack);
  }

  #subscribed(): void {
    this.#isSubscribed = true;
    // Its response follows the replay of retained messages.
    if (this.#options.version === '3.1.1') this.#client.sendPing();
    this.#reconnectDelay.subscribed();
    this.#status.subscribed(this.#subscriptions.filters);
    if (!this.#closing) this.#selfTest?.start();
  }

  #failed(error: Error): void {
    const isExpected = this.#closing || this.#window.isFull;
    this.#status.failed(describeConnectionError(error), { isExpected });
  }

  /** MQTT 5 only: the broker ends the connection with a reason, such as another client with the identifier. */
  #disconnectedByBroker(reasonCode = 0): void {
    this.#status.endedByBroker(reasonCode);
    this.#reconnectDelay.endedByBroker(reasonCode);
  }

  #closed(): void {
    this.#selfTest?.closed();
    // While draining, messages of a new connection are left to the successor of this process.
    if (this.#closing) this.#receiver.isDiscarding = true;
    this.#client.options.reconnectPeriod = this.#reconnectDelay.nextMs();
    if (this.#closing) return;
    if (this.#reconnectDelay.isInConflict) this.#status.inConflict(this.#options.clientId);
    else this.#status.closed();
  }
}
