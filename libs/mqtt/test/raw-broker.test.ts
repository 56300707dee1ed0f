import { grant, startRawBroker, until } from '@engawa/testing';
import { startSubscriber } from './start-subscriber.ts';
import type { Packet } from 'mqtt-packet';
import type { Subscriber, SubscriberOptions } from '../src/index.ts';
import type { PacketResponders, RawBroker } from '@engawa/testing';

let broker: RawBroker;
let subscriber: Subscriber;
afterEach(async () => {
  await subscriber.close();
  await broker.close();
});

async function start(answers: PacketResponders, options: Partial<SubscriberOptions> = {}) {
  broker = await startRawBroker(answers);
  const started = startSubscriber(broker.url, { version: '5', ...options });
  subscriber = started.subscriber;
  return started;
}

const count = (name: string): number => broker.seen.filter((cmd) => cmd === name).length;
const says = (words: string) =>
  until(words, () => subscriber.unavailableReason()?.includes(words) === true);

describe('a peer that does not speak MQTT', () => {
  it('is reported, and tried again', async () => {
    let garbage = 2;
    const nonsense = Buffer.from('30ffffffffff', 'hex');
    const connack: Packet = { cmd: 'connack', reasonCode: 0, sessionPresent: false };
    const { ready } = await start({ connack: () => (garbage-- > 0 ? nonsense : connack) });
    await says('the data is not MQTT');
    await ready();
    expect(count('connect')).toBe(3);
  });
});

describe('a subscription', () => {
  it.each([0x87, 0x80, 0])(
    'that is refused with %i is reported by name, and tried again',
    async (code) => {
      let refusals = 2;
      const { ready } = await start(
        { suback: (packet) => grant(packet, 1, refusals-- > 0 ? code : 1) },
        { topics: ['engawa/+/readings', 'tele/+/SENSOR'] },
      );
      await says('tele/+/SENSOR was refused');
      expect(subscriber.unavailableReason()).not.toContain('engawa/+/readings');
      await ready();
      expect(count('connect')).toBe(1);
    },
  );
});

describe('a broker that ends the connection', () => {
  it('is reported with its reason', async () => {
    const { ready } = await start({});
    await ready();
    broker.send({ cmd: 'disconnect', reasonCode: 0x8e });
    await says('the broker ended the connection');
  });
});

describe('closing with a full window', () => {
  it('delivers no more messages, and sends DISCONNECT', async () => {
    const { received, ready } = await start({}, { window: 1, group: 'engawa' });
    await ready();
    for (const messageId of [1, 2, 3])
      broker.send({
        cmd: 'publish',
        topic: 'engawa/d/readings',
        payload: String(messageId),
        qos: 1,
        messageId,
        dup: false,
        retain: false,
      });
    await until('the window', () => received.length > 0);
    await subscriber.drain(AbortSignal.abort());
    const before = received.length;
    broker.send({ cmd: 'publish', topic: 'late', payload: '', qos: 0, dup: false, retain: false });
    await subscriber.close();
    await until('the goodbye', () => count('disconnect') === 1);
    expect(broker.seen).toEqual(['connect', 'subscribe', 'unsubscribe', 'disconnect']);
    expect(received).toHaveLength(before);
  });
});
