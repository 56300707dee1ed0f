import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { parser } from 'mqtt-packet';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Packet, Parser } from 'mqtt-packet';

interface Connection {
  client: Socket;
  broker: Socket;
  frozen: boolean;
}

/** Faults of the transfer from the broker. */
type ChunkTransfer = (chunk: Buffer, client: Socket) => void;

const whole: ChunkTransfer = (chunk, client) => void client.write(chunk);

/** The network between a broker and a subscriber: it can fail, and records acknowledgements. */
export class NetworkPath {
  /** `topic payload` of every message that ingestion acknowledged, once per acknowledgement. */
  readonly acknowledged: string[] = [];
  /** `topic payload` of every message that was delivered over a connection which ended before the acknowledgement. */
  readonly interrupted: string[] = [];
  /** Messages that the broker delivered with DUP. */
  redelivered = 0;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #carry: ChunkTransfer = whole;
  #refusing = false;
  opened = 0;

  static async open(brokerPort: number): Promise<NetworkPath> {
    const path = new NetworkPath(brokerPort);
    path.#server.listen(0, '127.0.0.1');
    await once(path.#server, 'listening');
    return path;
  }

  private constructor(brokerPort: number) {
    this.#server = createServer((client) => {
      if (this.#refusing) client.resetAndDestroy();
      else this.#join(client, connect(brokerPort, '127.0.0.1'));
    });
  }

  get url(): string {
    return `mqtt://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Every connection is reset. */
  cut(): void {
    for (const { client, broker } of this.#connections) {
      client.resetAndDestroy();
      broker.destroy();
    }
  }

  /** Open connections lose all bytes in both directions, without an error at either end. */
  freeze(): void {
    for (const connection of this.#connections) connection.frozen = true;
  }

  refuse(refusing: boolean): void {
    this.#refusing = refusing;
  }

  /** Bytes from the broker arrive in pieces of one to seven. */
  fragment(random: () => number): void {
    this.#carry = (chunk, client) => {
      for (let start = 0; start < chunk.length;) {
        const end = start + 1 + Math.floor(random() * 7);
        client.write(chunk.subarray(start, end));
        start = end;
      }
    };
  }

  /** Resets the connection once, after a part of the next chunk. */
  cutInside(random: () => number): void {
    this.#carry = (chunk, client) => {
      this.#carry = whole;
      client.write(chunk.subarray(0, Math.max(1, Math.floor(random() * chunk.length))), () =>
        client.resetAndDestroy(),
      );
    };
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  #join(client: Socket, broker: Socket): void {
    const connection = { client, broker, frozen: false };
    this.#connections.add(connection);
    this.opened += 1;
    const spy = new AcknowledgementSpy(this.acknowledged, () => (this.redelivered += 1));
    client.setNoDelay(true);
    broker.setNoDelay(true);
    client.on('data', (chunk) => {
      if (connection.frozen) return;
      spy.toBroker(chunk);
      broker.write(chunk);
    });
    broker.on('data', (chunk) => {
      if (connection.frozen) return;
      spy.fromBroker(chunk);
      this.#carry(chunk, client);
    });
    for (const [one, other] of [
      [client, broker],
      [broker, client],
    ] as const) {
      one.on('error', () => one.destroy());
      one.on('close', () => {
        if (!connection.frozen) other.destroy();
        if (!client.destroyed || !broker.destroyed) return;
        if (this.#connections.delete(connection)) this.interrupted.push(...spy.unacknowledged());
      });
    }
  }
}

/** Parses the packets of one connection. */
class AcknowledgementSpy {
  readonly #acknowledged: string[];
  readonly #onRedelivered: () => void;
  readonly #brought = new Map<number, string>();
  #fromBroker: Parser | undefined;
  readonly #toBroker: Parser;

  constructor(acknowledged: string[], onRedelivered: () => void) {
    this.#acknowledged = acknowledged;
    this.#onRedelivered = onRedelivered;
    this.#toBroker = parser();
    this.#toBroker.on('packet', (packet: Packet) => this.#sent(packet));
  }

  toBroker(chunk: Buffer): void {
    this.#toBroker.parse(chunk);
  }

  fromBroker(chunk: Buffer): void {
    this.#fromBroker?.parse(chunk);
  }

  unacknowledged(): Iterable<string> {
    return this.#brought.values();
  }

  #sent(packet: Packet): void {
    if (packet.cmd === 'connect') {
      this.#fromBroker = parser({ protocolVersion: packet.protocolVersion ?? 4 });
      this.#fromBroker.on('packet', (answer: Packet) => this.#received(answer));
    }
    if (packet.cmd !== 'puback') return;
    const message = this.#brought.get(packet.messageId ?? 0);
    if (message === undefined) return;
    this.#acknowledged.push(message);
    this.#brought.delete(packet.messageId ?? 0);
  }

  #received(packet: Packet): void {
    if (packet.cmd !== 'publish' || packet.messageId === undefined) return;
    if (packet.dup) this.#onRedelivered();
    if (packet.topic.includes('engawa-self-test')) return; // no reading
    this.#brought.set(packet.messageId, `${packet.topic} ${packet.payload.toString()}`);
  }
}
