import { EventEmitter, once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import type { MqttClient } from 'mqtt';
import { connect } from 'mqtt';
import { describeProblem } from './describe-problem.ts';
import type { Message } from './message.ts';
import { traceContext } from './trace-context.ts';

export interface PublisherOptions {
  /** `mqtt://host:port`, also mqtts, ws and wss; may hold a user name and a password. */
  url: string;
  version: '3.1.1' | '5';
  /** Maximum number of unacknowledged messages. */
  window?: number;
  /** Called with a line when the connection is opened, lost or refused. */
  print: (line: string) => void;
}

const protocols = ['mqtt:', 'mqtts:', 'ws:', 'wss:'];

/** An address without its password. @throws OperatorError for an invalid address */
function addressOf(url: string): string {
  if (!URL.canParse(url) || !protocols.includes(new URL(url).protocol)) {
    throw new OperatorError(
      'The MQTT address is not valid: give one such as mqtt://127.0.0.1:1883 (mqtts, ws and wss work too)',
    );
  }
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/**
 * Publishes at QoS 1 with a bounded number of messages in flight. Reconnects without limit; messages in
 * flight when a connection breaks are sent again over the next one.
 */
export class Publisher {
  readonly #client: MqttClient;
  readonly #print: (line: string) => void;
  /** MQTT 3.1.1 has no place for a trace context. */
  readonly #isTraced: boolean;
  readonly #address: string;
  readonly #changes = new EventEmitter();
  #window: number;
  #lastProblem = '';
  #lastRefusal = '';
  #sent = 0;
  #acknowledged = 0;
  #refused = 0;

  constructor({ url, version, window = 500, print }: PublisherOptions) {
    this.#address = addressOf(url);
    this.#print = print;
    this.#isTraced = version === '5';
    this.#window = window;
    this.#client = connect(url, {
      protocolVersion: version === '5' ? 5 : 4,
      reconnectPeriod: 1000,
      reconnectOnConnackError: true,
    });
    this.#client.on('connect', ({ properties }) => {
      this.#lastProblem = '';
      // MQTT 5, 3.3.4: at most the broker's Receive Maximum in flight.
      this.#window = Math.min(window, properties?.receiveMaximum ?? window);
      this.#print(`connected to ${this.#address}`);
      this.#changes.emit('room');
    });
    this.#client.on('error', (error) => this.#report(describeProblem(error)));
    this.#client.on('offline', () => this.#report('no connection'));
  }

  get sent(): number {
    return this.#sent;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Messages that the broker refused with a reason code (MQTT 5 only). */
  get refused(): number {
    return this.#refused;
  }

  get inFlight(): number {
    return this.#sent - this.#acknowledged - this.#refused;
  }

  /**
   * Sends a message as soon as there is a connection and room for it. `onAcknowledged` is called when the
   * broker has taken it. Rejects when the signal aborts first.
   */
  async publish(message: Message, signal: AbortSignal, onAcknowledged?: () => void): Promise<void> {
    signal.throwIfAborted();
    while (!this.#client.connected || this.inFlight >= this.#window) {
      await once(this.#changes, 'room', { signal });
    }
    this.#sent += 1;
    const properties = this.#isTraced ? { userProperties: traceContext() } : undefined;
    const options = { qos: 1 as const, ...(properties && { properties }) };
    this.#client.publish(message.topic, message.payload, options, (error) => {
      if (error) this.#refuse(message, error);
      else this.#acknowledged += 1;
      if (!error) onAcknowledged?.();
      this.#changes.emit('room');
    });
  }

  /** Waits for the first connection. Rejects when the signal aborts first. */
  async connected(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (!this.#client.connected) await once(this.#changes, 'room', { signal });
  }

  /** Waits until every message is acknowledged or refused. Rejects when the signal aborts first. */
  async settled(signal: AbortSignal): Promise<void> {
    while (this.inFlight > 0) await once(this.#changes, 'room', { signal });
  }

  /** Waits for pending acknowledgements, at most `graceMilliseconds`, and disconnects. */
  async close(graceMilliseconds = 2000): Promise<void> {
    if (this.#client.connected) {
      // Messages without an acknowledgement by then count as not sent.
      await this.settled(AbortSignal.timeout(graceMilliseconds)).catch(() => undefined);
    }
    this.#client.removeAllListeners('offline');
    const left = this.inFlight > 0 || !this.#client.connected;
    // A hanging broker does not react to the DISCONNECT either.
    await Promise.race([this.#client.endAsync(left), after(500, undefined, { ref: false })]);
  }

  #refuse({ topic }: Message, error: Error): void {
    this.#refused += 1;
    const reason = describeProblem(error);
    // A broker that refuses one message refuses thousands for the same reason: one line is enough.
    if (this.#client.disconnecting || reason === this.#lastRefusal) return;
    this.#lastRefusal = reason;
    this.#print(`${this.#address}: message to ${topic} refused: ${reason}`);
  }

  #report(problem: string): void {
    // "offline" follows the error with the reason.
    const known = problem === 'no connection' && this.#lastProblem !== '';
    if (known || problem === this.#lastProblem) return;
    this.#lastProblem = problem;
    this.#print(`${this.#address}: ${problem}; retrying every second`);
  }
}
