import { generate, parser } from 'mqtt-packet';
import type { IConnectPacket, IPublishPacket, Packet } from 'mqtt-packet';
import type { Duplex } from 'node:stream';

/** A client that sends only the packets of a test, and acknowledges nothing by itself. */
export class RawClient {
  readonly version: 4 | 5;
  /** Received packets in order. */
  readonly packets: Packet[] = [];
  readonly stream: Duplex;
  isClosed = false;

  constructor(stream: Duplex, version: 4 | 5) {
    this.stream = stream;
    this.version = version;
    const packets = parser({ protocolVersion: version });
    packets.on('packet', (packet) => this.packets.push(packet));
    stream.on('data', (chunk: Buffer) => packets.parse(chunk));
    stream.on('error', () => undefined);
    stream.on('end', () => (this.isClosed = true)).on('close', () => (this.isClosed = true));
  }

  send(packet: Packet): void {
    this.stream.write(generate(packet, { protocolVersion: this.version }));
  }

  connect(options: Partial<IConnectPacket> = {}): void {
    this.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: this.version,
      clientId: 'raw',
      clean: true,
      keepalive: 0,
      ...options,
    });
  }

  /** @param options subscription options of MQTT 5, for each filter */
  subscribe(filters: string[], options: { qos?: 0 | 1 | 2; rh?: number; nl?: boolean } = {}): void {
    const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const, ...options }));
    this.send({ cmd: 'subscribe', messageId: 1, subscriptions });
  }

  publish(topic: string, payload: string, options: Partial<IPublishPacket> = {}): void {
    const { qos = 1, messageId = 1 } = options;
    this.send({
      cmd: 'publish',
      topic,
      payload,
      qos,
      dup: false,
      retain: false,
      ...options,
      ...(qos > 0 && { messageId }),
    });
  }

  of<Command extends Packet['cmd']>(cmd: Command): Extract<Packet, { cmd: Command }>[] {
    return this.packets.filter((packet) => packet.cmd === cmd) as Extract<
      Packet,
      { cmd: Command }
    >[];
  }

  /** Payloads of the received messages. */
  get payloads(): string[] {
    return this.of('publish').map(({ payload }) => payload.toString());
  }

  /** Packet identifiers of the received messages, 0 for QoS 0. */
  get messageIds(): number[] {
    return this.of('publish').map(({ messageId = 0 }) => messageId);
  }

  /** Acknowledges received messages of QoS 1, from index `from` to `to`. */
  acknowledge(from = 0, to = Infinity): void {
    for (const { messageId, qos } of this.of('publish').slice(from, to))
      if (qos === 1 && messageId !== undefined)
        this.send({ cmd: 'puback', messageId, reasonCode: 0 });
  }
}
