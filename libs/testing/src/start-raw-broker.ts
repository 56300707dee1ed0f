import { once } from 'node:events';
import { createServer } from 'node:net';
import { generate, parser } from 'mqtt-packet';
import type { AddressInfo, Socket } from 'node:net';
import type { ISubscribePacket, Packet } from 'mqtt-packet';

export interface RawConnection {
  /** What came over it. */
  packets: Packet[];
  send(packet: Packet): void;
  /** Ends it without a word. */
  cut(): void;
}

export interface RawBroker {
  url: string;
  /** The packets that came, by their names. */
  seen: string[];
  /** In the order in which they were opened. */
  connections: RawConnection[];
  /** Sends to the client that connected last. */
  send(packet: Packet): void;
  close(): Promise<void>;
}

/** What to answer in place of what a good broker would; undefined for nothing at all. */
type Answer = (packet: Packet) => Packet | Buffer | undefined;
export type RawAnswers = Partial<Record<'connack' | 'suback' | 'pingresp', Answer>>;

/**
 * A broker that does, on command, what no other will.
 * @param protocolVersion that it speaks: 5, or 4 for MQTT 3.1.1
 */
export async function startRawBroker(
  answers: RawAnswers = {},
  protocolVersion: 4 | 5 = 5,
): Promise<RawBroker> {
  const encode = (packet: Packet | Buffer) =>
    Buffer.isBuffer(packet) ? packet : generate(packet, { protocolVersion });
  const seen: string[] = [];
  const connections: RawConnection[] = [];
  const server = createServer((socket) => {
    const connection = connectionOver(socket, encode);
    connections.push(connection);
    const packets = parser({ protocolVersion });
    socket.on('data', (chunk) => packets.parse(chunk));
    socket.on('error', () => socket.destroy());
    packets.on('packet', (packet: Packet) => {
      seen.push(packet.cmd);
      connection.packets.push(packet);
      const answer = answerTo(packet, answers);
      if (answer !== undefined) socket.write(encode(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    connections,
    send: (packet) => connections.at(-1)?.send(packet),
    async close() {
      server.close();
      for (const connection of connections) connection.cut();
      await once(server, 'close');
    },
  };
}

function connectionOver(socket: Socket, encode: (packet: Packet) => Buffer): RawConnection {
  return {
    packets: [],
    send: (packet) => socket.write(encode(packet)),
    cut: () => socket.destroy(),
  };
}

function answerTo(packet: Packet, answers: RawAnswers): Packet | Buffer | undefined {
  const { messageId = 0 } = packet;
  switch (packet.cmd) {
    case 'connect':
      if (answers.connack !== undefined) return answers.connack(packet);
      return { cmd: 'connack', reasonCode: 0, returnCode: 0, sessionPresent: false };
    case 'subscribe':
      return answers.suback === undefined ? grant(packet, 1) : answers.suback(packet);
    case 'unsubscribe':
      return { cmd: 'unsuback', messageId, granted: [0] };
    case 'pingreq':
      return answers.pingresp === undefined ? { cmd: 'pingresp' } : answers.pingresp(packet);
    default:
      return undefined;
  }
}

/** The SUBACK that gives each topic what `granted` says, the last of these for the rest. */
export function grant(packet: Packet, ...granted: number[]): Packet {
  const { messageId = 0, subscriptions } = packet as ISubscribePacket;
  const codes = subscriptions.map((_, index) => granted[index] ?? granted.at(-1) ?? 1);
  return { cmd: 'suback', messageId, granted: codes };
}
