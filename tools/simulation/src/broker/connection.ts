import { generate, parser } from 'mqtt-packet';
import { reasonCode } from './reason-codes.ts';
import type { World } from '../kernel/world.ts';
import type { OutboxConnection } from './outbox.ts';
import type { Session } from './session.ts';
import type { TaskGate } from './task-gate.ts';
import type { Packet } from 'mqtt-packet';
import type { Duplex } from 'node:stream';

/** What the client did is against the standard: the connection is closed (MQTT 5, 4.13). */
export class ProtocolViolation extends Error {
  readonly reasonCode: number;

  constructor(code: number, message: string) {
    super(message);
    this.reasonCode = code;
  }
}

export interface ConnectionOptions {
  stream: Duplex;
  world: World;
  gate: TaskGate;
  /** @throws ProtocolViolation */
  onPacket: (connection: Connection, packet: Packet) => void;
  /** The connection has ended, from whichever side. */
  onClosed: (connection: Connection) => void;
}

/** One network connection, and what its client said in CONNECT. */
export class Connection implements OutboxConnection {
  version: 4 | 5 = 4;
  receiveMaximum: number | undefined;
  maximumPacketSize: number | undefined;
  /** From CONNECT on. */
  session: Session | undefined;
  /** Whether the client said goodbye, so that its will is not published [MQTT-3.14.4-3]. */
  isWillDiscarded = false;
  /** Whether another connection took over its session. */
  isTakenOver = false;
  readonly #options: ConnectionOptions;
  #isOpen = true;
  /** Whether the network loses everything in both directions. */
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

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(packet: Packet): void {
    this.write(generate(packet, { protocolVersion: this.version }));
  }

  write(bytes: Buffer): void {
    if (this.#isOpen && !this.#isSilenced) this.#options.stream.write(bytes);
  }

  /** Closes it when the client says nothing for one and a half times as long [MQTT-3.1.2-22]. */
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

  /** @param code reason code of a DISCONNECT, which only clients of MQTT 5 that are connected get */
  close(code?: number): void {
    if (!this.#isOpen) return;
    const isTold = code !== undefined && this.version === 5 && this.session !== undefined;
    if (isTold) this.send({ cmd: 'disconnect', reasonCode: code });
    this.#isOpen = false;
    const { stream, onClosed } = this.#options;
    if (!this.#isSilenced) stream.end();
    onClosed(this);
  }

  /** The network ends it; the client sees that at once, the broker's process as soon as it runs. */
  breakOff(): void {
    this.#destroyStream();
    this.#options.gate.perform(() => this.reset());
  }

  /** Ends it without a word. */
  reset(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#destroyStream();
    this.#options.onClosed(this);
  }

  /** The network loses everything from now on, and neither side is told. */
  silence(): void {
    this.#isSilenced = true;
  }

  /** The process that held it has gone; nothing is done about the session. */
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
