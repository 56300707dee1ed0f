import { once } from 'node:events';
import { createServer } from 'node:net';
import { generate, parser } from 'mqtt-packet';
import type { AddressInfo, Socket } from 'node:net';
import type { ISubscribePacket, Packet } from 'mqtt-packet';

export interface RawBroker {
  url: string;
  /** The packets that came, by their names. */
  seen: string[];
  /** Sends to the client that connected last. */
  send(packet: Packet): void;
  close(): Promise<void>;
}

/** What to answer in place of what a good broker would. */
export type Answers = Partial<Record<'connack' | 'suback', (packet: Packet) => Packet | Buffer>>;

/** An MQTT 5 broker that does, on command, what no other will. */
export async function startRawBroker(answers: Answers = {}): Promise<RawBroker> {
  const seen: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const packets = parser({ protocolVersion: 5 });
    socket.on('data', (chunk) => packets.parse(chunk));
    socket.on('error', () => socket.destroy());
    packets.on('packet', (packet: Packet) => {
      seen.push(packet.cmd);
      const answer = answerTo(packet, answers);
      if (answer !== undefined) socket.write(encode(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    send: (packet) => sockets.at(-1)?.write(encode(packet)),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function encode(packet: Packet | Buffer): Buffer {
  return Buffer.isBuffer(packet) ? packet : generate(packet, { protocolVersion: 5 });
}

function answerTo(packet: Packet, answers: Answers): Packet | Buffer | undefined {
  const { messageId = 0 } = packet;
  switch (packet.cmd) {
    case 'connect':
      return answers.connack?.(packet) ?? { cmd: 'connack', reasonCode: 0, sessionPresent: false };
    case 'subscribe':
      return answers.suback?.(packet) ?? grant(packet, 1);
    case 'unsubscribe':
      return { cmd: 'unsuback', messageId, granted: [0] };
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
