import { startRawBroker, until } from '@engawa/testing';
import { startSubscriber } from './start-subscriber.ts';
import type { IPublishPacket, Packet } from 'mqtt-packet';
import type { RawBroker } from '@engawa/testing';

export const topic = 'engawa/door/readings';
export const message = (
  messageId: number,
  payload: string,
  more: Partial<IPublishPacket> = {},
): Packet => {
  const packet = { cmd: 'publish', topic, payload, qos: 1, dup: false, retain: false } as const;
  return { ...packet, messageId, ...more };
};

/** A subscriber at a broker that keeps or loses the session at each reconnection. */
export async function startRedeliveryFixture({
  keepsSession = true,
  window = 100,
  version = '5',
  answersPings = true,
}: {
  keepsSession?: boolean;
  window?: number;
  version?: '5' | '3.1.1';
  answersPings?: boolean;
} = {}) {
  let connections = 0;
  const answers = {
    connack: () => {
      connections += 1;
      const sessionPresent = connections > 1 && keepsSession;
      return { cmd: 'connack', reasonCode: 0, returnCode: 0, sessionPresent } as const;
    },
    // Without a response, the broker's receipt of an acknowledgement is unknown.
    pingresp: () => (answersPings ? ({ cmd: 'pingresp' } as const) : undefined),
  };
  const broker = await startRawBroker(answers, version === '5' ? 5 : 4);
  const repeated: string[] = [];
  const started = startSubscriber(broker.url, {
    version,
    window,
    onRepeated: (name) => repeated.push(name),
  });
  const close = async () => {
    await started.subscriber.close();
    await broker.close();
  };
  await started.ready();
  const texts = () => started.received.map(({ payload }) => payload.toString());
  const reconnect = async () => {
    const before = broker.connections.length;
    broker.connections.at(-1)?.cut();
    await until('another connection', () => broker.connections.length === before + 1);
    await started.ready();
  };
  return { ...started, broker, texts, repeated, reconnect, close };
}

export const acknowledged = (broker: RawBroker): (number | undefined)[] =>
  (broker.connections.at(-1)?.packets ?? [])
    .filter(({ cmd }) => cmd === 'puback')
    .map(({ messageId }) => messageId);

/** Resolves when all earlier messages have been received. */
export async function caughtUp(broker: RawBroker, texts: () => string[]): Promise<void> {
  broker.send(message(60_000, 'last'));
  await until('the last message', () => texts().includes('last'));
}
