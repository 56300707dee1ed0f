import { once } from 'node:events';
import { createServer } from 'node:net';
import { generate, parser } from 'mqtt-packet';
import type { AddressInfo, Socket } from 'node:net';
import type { ISubscribePacket, Packet } from 'mqtt-packet';

export interface RawConnection {
  /** The received packets. */
  packets: Packet[];
  send(packet: Packet): void;
  /** Closes the socket after everything that was sent. */
  end(): void;
  /** Closes the socket without DISCONNECT. */
  cut(): void;
}

export interface RawBroker {
  url: string;
  /** The names of the received packets. */
  seen: string[];
  /** In the order of connecting. */
  connections: RawConnection[];
  /** Sends to the client that connected most recently. */
  send(packet: Packet): void;
  close(): Promise<void>;
}

/** Replacements of a correct broker's responses; undefined sends no response. */
type PacketResponder = (packet: Packet) => Packet | Buffer | undefined;
type ResponseName = 'connack' | 'suback' | 'unsuback' | 'puback' | 'pingresp';
/** By default a message of the client is not acknowledged. */
export type PacketResponders = Partial<Record<ResponseName, PacketResponder>>;

/**
 * A broker for protocol violations and unusual sequences, which the test controls.
 * @param protocolVersion 5, or 4 for MQTT 3.1.1
 */
export async function startRawBroker(
  answers: PacketResponders = {},
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
    end: () => socket.end(),
    cut: () => socket.destroy(),
  };
}

function answerTo(packet: Packet, answers: PacketResponders): Packet | Buffer | undefined {
  const { messageId = 0 } = packet;
  switch (packet.cmd) {
    case 'connect':
      if (answers.connack !== undefined) return answers.connack(packet);
      return { cmd: 'connack', reasonCode: 0, returnCode: 0, sessionPresent: false };
    case 'subscribe':
      return answers.suback === undefined ? grant(packet, 1) : answers.suback(packet);
    case 'unsubscribe':
      if (answers.unsuback !== undefined) return answers.unsuback(packet);
      return { cmd: 'unsuback', messageId, granted: [0] };
    case 'publish':
      return packet.qos === 1 ? answers.puback?.(packet) : undefined;
    case 'pingreq':
      return answers.pingresp === undefined ? { cmd: 'pingresp' } : answers.pingresp(packet);
    default:
      return undefined;
  }
}

/** A SUBACK that grants each topic the QoS in `granted`; the last one applies to the remaining topics. */
export function grant(packet: Packet, ...granted: number[]): Packet {
  const { messageId = 0, subscriptions } = packet as ISubscribePacket;
  const codes = subscriptions.map((_, index) => granted[index] ?? granted.at(-1) ?? 1);
  return { cmd: 'suback', messageId, granted: codes };
}
