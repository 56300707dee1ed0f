import { FrequentCounter } from '@engawa/service';
import { startRawBroker, until } from '@engawa/testing';
import { startSubscriber } from './start-subscriber.ts';
import type { IPublishPacket } from 'mqtt-packet';
import type { RawBroker } from '@engawa/testing';
import type { Subscriber } from '../src/index.ts';

let broker: RawBroker;
let subscriber: Subscriber;
afterEach(async () => {
  await subscriber.close();
  await broker.close();
});

/** A subscriber, and the metrics of a scrape. */
async function start(window: number) {
  broker = await startRawBroker();
  let dropped = 0;
  const started = startSubscriber(broker.url, { version: '5', window, onDropped: () => dropped++ });
  subscriber = started.subscriber;
  await started.ready();
  const scrape = async () => {
    const text = await started.registry.metrics();
    const value = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    return {
      received: value('engawa_ingest_received_messages_total'),
      held: value('engawa_ingest_unacknowledged_messages'),
      released: value('released_total'),
    };
  };
  return { ...started, scrape, dropped: () => dropped };
}

function send(messageId: number, more: Partial<IPublishPacket> = {}): void {
  const packet = { cmd: 'publish', topic: 't', payload: 'x', dup: false, retain: false } as const;
  broker.send({ ...packet, qos: 1, messageId, ...more });
}

it('are counted per delivery: redelivered, retained and dropped ones, too', async () => {
  const { received, scrape, ready, dropped } = await start(10);
  for (const messageId of [1, 2, 3, 4]) send(messageId, { retain: messageId === 1 });
  for (let index = 0; index < 3; index++) send(0, { qos: 0 });
  await until('all of them', () => received.length + dropped() === 7);
  expect({ dropped: dropped(), ...(await scrape()) }).toMatchObject({
    dropped: 2,
    received: 7,
    held: 5,
  });
  broker.connections[0]?.cut();
  await until('another connection', () => broker.connections.length === 2);
  await ready();
  for (const messageId of [1, 2, 3, 4]) send(messageId, { dup: true });
  await until('all of them, again', () => received.length === 9);
  expect(await scrape()).toMatchObject({ received: 11, held: 9 });
  for (const message of [...received, ...received]) message.release(); // released twice
  expect(await scrape()).toMatchObject({ received: 11, held: 0 });
});

it('agree with the held messages at any time of a scrape', async () => {
  const { received, registry, scrape } = await start(100);
  const released = new FrequentCounter(registry, { name: 'released_total', help: 'Done.' });
  for (let messageId = 1; messageId <= 50; messageId++) send(messageId);
  await until('all of them', () => received.length === 50);
  for (const message of received) {
    // Runs between the collection of the first gauge and of the last counter of a scrape.
    queueMicrotask(() => {
      released.add({});
      message.release();
    });
    const { held, ...counted } = await scrape();
    expect(counted.received).toBe(counted.released + held);
  }
});

it('are counted as dropped while closing, if they are not redelivered', async () => {
  const { received, scrape, dropped } = await start(100);
  await subscriber.drain(AbortSignal.abort());
  send(1);
  send(0, { qos: 0 });
  await subscriber.close();
  expect({ given: received.length, dropped: dropped() }).toEqual({ given: 0, dropped: 1 });
  expect(await scrape()).toMatchObject({ received: 1, held: 0 });
});
