import { once } from 'node:events';
import { connect } from 'node:net';
import { generate, parser, type IPublishPacket, type Packet } from 'mqtt-packet';

type OnPublish = (packet: IPublishPacket, acknowledge: () => void) => void;

export interface RawClient {
  /** Resolves when the broker has processed all earlier packets. */
  ping: () => Promise<void>;
  /** Sends these packets at once. */
  sendAll: (packets: readonly Packet[]) => void;
  /** Closes the socket without DISCONNECT. */
  destroy: () => void;
}

/**
 * A client with manual acknowledgements: a persistent session subscribed to `readings` at QoS 1. Resolves when the
 * subscription is granted.
 */
export async function connectRaw(
  port: number,
  clientId: string,
  onPublish: OnPublish,
): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1');
  const send = (packet: Packet) => socket.writable && socket.write(generate(packet));
  const packets = parser();
  const answer = (command: Packet['cmd']) =>
    new Promise<void>((resolve) => {
      packets.on('packet', ({ cmd }: Packet) => {
        if (cmd === command) resolve();
      });
    });
  const exchange = async (packet: Packet, command: Packet['cmd']) => {
    const answered = answer(command);
    send(packet);
    await answered;
  };
  packets.on('packet', (packet: Packet) => {
    if (packet.cmd !== 'publish') return;
    onPublish(packet, () => send({ cmd: 'puback', messageId: packet.messageId }));
  });
  socket.on('data', (bytes) => packets.parse(bytes));
  socket.on('error', () => undefined); // the broker closes first
  await once(socket, 'connect');
  const session = { clientId, clean: false, keepalive: 0 };
  await exchange({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, ...session }, 'connack');
  const subscriptions = [{ topic: 'readings', qos: 1 as const }];
  await exchange({ cmd: 'subscribe', messageId: 1, subscriptions }, 'suback');
  return {
    ping: () => exchange({ cmd: 'pingreq' }, 'pingresp'),
    sendAll: (all) => void socket.write(Buffer.concat(all.map((packet) => generate(packet)))),
    destroy: () => socket.destroy(),
  };
}
