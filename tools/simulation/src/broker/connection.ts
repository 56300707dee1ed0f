import { generate, parser } from 'mqtt-packet';
import { reasonCode } from './reason-codes.ts';
import type { World } from '../kernel/world.ts';
import type { OutboxConnection } from './outbox.ts';
import type { Session } from './session.ts';
import type { TaskGate } from './task-gate.ts';
import type { Packet } from 'mqtt-packet';
import type { Duplex } from 'node:stream';

/** The client violated the standard: the connection is closed (MQTT 5, 4.13). */
export class ProtocolViolation extends Error {
  readonly reasonCode: number;

  constructor(code: number, message: string) {
    super(message);
    this.reasonCode = code;
  }
}

export interface ConnectionOptions {
  stream: Duplex;
  process: symbol | undefined;
  world: World;
  gate: TaskGate;
  /** @throws ProtocolViolation */
  onPacket: (connection: Connection, packet: Packet) => void;
  /** Called after either end has closed the connection. */
  onClosed: (connection: Connection) => void;
}

/** One network connection, with the properties of its CONNECT. */
export class Connection implements OutboxConnection {
  version: 4 | 5 = 4;
  receiveMaximum: number | undefined;
  maximumPacketSize: number | undefined;
  /** Undefined before CONNECT. */
  session: Session | undefined;
  /** Whether the client sent DISCONNECT, so that its will is not published [MQTT-3.14.4-3]. */
  isWillDiscarded = false;
  /** Whether another connection took over the session. */
  isTakenOver = false;
  readonly #options: ConnectionOptions;
  #isOpen = true;
  /** Whether the network loses all packets in both directions. */
  #isSilenced = false;
  #lastReceivedAt: number;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#lastReceivedAt = options.world.now();
    const { stream, gate } = options;
    const packets = parser({ protocolVersion: 4 });
    packets.on('packet', (packet) => this.#handle(packet));
    packets.on('error', () => this.close(reasonCode.malformedPacket));
    stream.on('data', (chunk: Buffer) => gate.perform(() => this.#receive(chunk, packets)));
    const ended = () => gate.perform(() => this.#streamEnded());
    stream.on('end', ended).on('close', ended).on('error', ended);
  }

  get process(): symbol | undefined {
    return this.#options.process;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(packet: Packet): void {
    this.write(generate(packet, { protocolVersion: this.version }));
  }

  write(bytes: Buffer): void {
    if (this.#isOpen && !this.#isSilenced) this.#options.stream.write(bytes);
  }

  /** Closes the connection when the client sends nothing for 1.5 times the keep alive [MQTT-3.1.2-22]. */
  keepAlive(seconds: number): void {
    if (seconds === 0) return;
    const limitMs = seconds * 1500;
    const check = () => {
      if (!this.#isOpen) return;
      const leftMs = this.#lastReceivedAt + limitMs - this.#options.world.now();
      if (leftMs <= 0) this.close(reasonCode.keepAliveTimeout);
      else this.#options.gate.after(leftMs, 'keep alive', check);
    };
    this.#options.gate.after(limitMs, 'keep alive', check);
  }

  /** @param code reason code of a DISCONNECT, which is sent only to connected clients of MQTT 5 */
  close(code?: number): void {
    if (!this.#isOpen) return;
    const isTold = code !== undefined && this.version === 5 && this.session !== undefined;
    if (isTold) this.send({ cmd: 'disconnect', reasonCode: code });
    this.#isOpen = false;
    const { stream, onClosed } = this.#options;
    if (!this.#isSilenced) stream.end();
    onClosed(this);
  }

  /** The network resets the connection: the client sees the reset at once, the broker's process as soon as it runs. */
  breakOff(): void {
    this.#destroyStream();
    this.#options.gate.perform(() => this.reset());
  }

  /** Closes the connection without a DISCONNECT. */
  reset(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#destroyStream();
    this.#options.onClosed(this);
  }

  /** From now on the network loses all packets, without an error at either side. */
  silence(): void {
    this.#isSilenced = true;
  }

  /** The broker's process has ended; the session is not changed. */
  abandon(how: 'end' | 'destroy'): void {
    this.#isOpen = false;
    if (this.#isSilenced) return;
    this.#options.stream[how]();
  }

  #destroyStream(): void {
    if (!this.#isSilenced) this.#options.stream.destroy();
  }

  #receive(chunk: Buffer, packets: ReturnType<typeof parser>): void {
    if (!this.#isOpen || this.#isSilenced) return;
    this.#lastReceivedAt = this.#options.world.now();
    packets.parse(chunk);
  }

  #handle(packet: Packet): void {
    if (!this.#isOpen) return;
    try {
      this.#options.onPacket(this, packet);
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error;
      this.close(error.reasonCode);
    }
  }

  #streamEnded(): void {
    if (!this.#isOpen || this.#isSilenced) return;
    this.reset();
  }
}
