import { startRawBroker, until } from '@engawa/testing';
import { generate } from 'mqtt-packet';
import { startSubscriber } from './start-subscriber.ts';
import type { Packet } from 'mqtt-packet';
import type { SubscriberOptions } from '../src/index.ts';
import type { PacketResponders } from '@engawa/testing';

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of close.toReversed()) await step();
  close = [];
});

async function start(answers: PacketResponders, options: Partial<SubscriberOptions> = {}) {
  const broker = await startRawBroker(answers);
  const started = startSubscriber(broker.url, { version: '5', ...options });
  close.push(
    () => broker.close(),
    () => started.subscriber.close(),
  );
  const texts = () => started.received.map(({ payload }) => payload.toString());
  const seen = (name: string) => broker.seen.filter((cmd) => cmd === name).length;
  return { ...started, broker, texts, seen };
}

const connack = { cmd: 'connack', reasonCode: 0, sessionPresent: true } as const;
const notAuthorized = 0x87;
const quotaExceeded = 0x97;

function message(messageId: number, payload: string, dup = false): Packet {
  const topic = 'engawa/door/readings';
  return { cmd: 'publish', topic, payload, qos: 1, messageId, dup, retain: false };
}

it('a second CONNACK on one connection does not make the deliveries of its session unknown', async () => {
  const { broker, texts, ready } = await start({ connack: () => connack });
  await ready();
  broker.send(message(1, 'open'));
  await until('the message', () => texts().length === 1);
  broker.send({ ...connack, sessionPresent: false });
  await until('another connection', () => broker.connections.length === 2);
  await ready();
  broker.send(message(1, 'open', true));
  broker.send(message(2, 'last'));
  await until('the last message', () => texts().includes('last'));
  expect(texts()).toEqual(['open', 'last']);
});

it('a message before the CONNACK is not given out', async () => {
  const bytes = (packet: Packet) => generate(packet, { protocolVersion: 5 });
  const qos0 = { cmd: 'publish', topic: 'engawa/door/readings', qos: 0, dup: false } as const;
  const early = bytes({ ...qos0, payload: 'early', retain: false });
  const { broker, texts, ready } = await start({
    connack: () => Buffer.concat([early, bytes(connack)]),
  });
  await ready();
  broker.send(message(2, 'last'));
  await until('the last message', () => texts().includes('last'));
  expect(texts()).toEqual(['last']);
});

describe('a refused UNSUBACK', () => {
  const refused = (packet: Packet): Packet => {
    return { cmd: 'unsuback', messageId: packet.messageId ?? 0, granted: [notAuthorized] };
  };

  it('leaves the client in its group', async () => {
    const group = { group: 'engawa' };
    const { subscriber, ready } = await start({ unsuback: refused }, group);
    await ready();
    await subscriber.drain(AbortSignal.timeout(120_000));
    expect(subscriber.hasLeftGroup).toBe(false);
  });

  it('is repeated over the next connection, where the client leaves a former group', async () => {
    let refusals = 1;
    const { broker, ready, seen } = await start(
      {
        connack: () => connack,
        unsuback: (packet) =>
          refusals-- > 0
            ? refused(packet)
            : { cmd: 'unsuback', messageId: packet.messageId ?? 0, granted: [0, 0] },
      },
      { group: 'new', formerGroup: 'old' },
    );
    await ready();
    for (const unsubscriptions of [1, 2]) {
      await until('the request', () => seen('unsubscribe') === unsubscriptions);
      broker.connections.at(-1)?.cut();
      await until('another connection', () => seen('subscribe') === unsubscriptions + 1);
    }
    await ready();
    expect(seen('unsubscribe')).toBe(2);
  });
});

it.each([
  ['once', notAuthorized, 1],
  ['again over the next connection', quotaExceeded, 2],
])('a self-test message is sent %s where the broker rejects it with %i', async (_, code, sent) => {
  const puback = ({ messageId = 0 }: Packet): Packet => {
    return { cmd: 'puback', messageId, reasonCode: code };
  };
  const selfTestTopic = 'engawa/engawa-self-test-a/readings';
  const { broker, ready, seen, texts } = await start({ puback }, { selfTestTopic });
  await ready();
  await until('the first', () => seen('publish') === 1);
  broker.send(message(1, 'after the PUBACK'));
  await until('the message', () => texts().length === 1);
  broker.connections.at(-1)?.cut();
  await until('another connection', () => seen('subscribe') === 2);
  await ready();
  broker.send(message(1, 'after the subscription'));
  await until('the message', () => texts().length === 2);
  expect(seen('publish')).toBe(sent);
});
