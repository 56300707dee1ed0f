import { once } from 'node:events';
import { connect } from 'node:net';
import { startBroker } from '@engawa/embedded';
import { describeWithMosquitto, startMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { generate } from 'mqtt-packet';
import {
  acknowledged,
  caughtUp,
  message,
  startRedeliveryFixture,
  topic,
} from './redelivery-fixture.ts';
import { startSubscriber } from './start-subscriber.ts';

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of close.toReversed()) await step();
  close = [];
});

async function start(options?: Parameters<typeof startRedeliveryFixture>[0]) {
  const fixture = await startRedeliveryFixture(options);
  close.push(fixture.close);
  return fixture;
}

describe('a message that is redelivered in the same session', () => {
  it('is not emitted while the first delivery is held, and is acknowledged with it', async () => {
    const { broker, received, texts, reconnect } = await start();
    broker.send(message(1, 'open'));
    await until('the message', () => received.length === 1);
    for (let round = 0; round < 2; round++) {
      await reconnect();
      broker.send(message(1, 'open', { dup: true }));
    }
    await caughtUp(broker, texts);
    expect(texts()).toEqual(['open', 'last']);
    expect(acknowledged(broker)).toEqual([]);
    for (const held of received) held.release();
    await until('its acknowledgement', () => acknowledged(broker).length === 2);
    expect(acknowledged(broker)).toEqual([1, 60_000]);
  });

  it('is not emitted when it is the replay of an emitted retained message', async () => {
    const { broker, texts, reconnect, repeated } = await start();
    broker.send(message(1, 'open', { retain: true }));
    await until('the message', () => texts().length === 1);
    await reconnect();
    broker.send(message(2, 'open', { retain: true }));
    await until('the replay', () => repeated.length === 1);
    await reconnect();
    broker.send(message(2, 'open', { retain: true, dup: true }));
    await caughtUp(broker, texts);
    expect(texts()).toEqual(['open', 'last']);
  });

  it('is not emitted when it is the replay of an emitted retained message whose first delivery was lost', async () => {
    const { broker, received, texts, reconnect } = await start({ version: '3.1.1' });
    broker.send(message(1, 'open', { retain: true }));
    await until('the message', () => texts().length === 1);
    received[0]?.release();
    // The replay with identifier 2 was cut off on its way.
    await reconnect();
    broker.send(message(2, 'open', { retain: true, dup: true }));
    await caughtUp(broker, texts);
    expect(texts()).toEqual(['open', 'last']);
    await until('its acknowledgement', () => acknowledged(broker).includes(2));
  });

  it('is emitted when it is a retained message that was never received', async () => {
    const { broker, texts, reconnect } = await start({ version: '3.1.1' });
    await reconnect();
    broker.send(message(2, 'open', { retain: true, dup: true }));
    await caughtUp(broker, texts);
    expect(texts()).toEqual(['open', 'last']);
  });

  it('is not emitted when its acknowledgement was lost, and is acknowledged at once', async () => {
    const { broker, received, texts, reconnect, repeated } = await start();
    broker.send(message(1, 'open'));
    await until('the message', () => received.length === 1);
    received[0]?.release();
    await until('its acknowledgement', () => acknowledged(broker).length === 1);
    await reconnect();
    broker.send(message(1, 'open', { dup: true }));
    await until('another acknowledgement', () => acknowledged(broker).length === 1);
    await caughtUp(broker, texts);
    expect(texts()).toEqual(['open', 'last']);
    expect(repeated).toEqual([topic]);
  });

  it('is known where an earlier message became durable after it', async () => {
    const { broker, received, texts, reconnect } = await start({ window: 4, answersPings: false });
    const release = (id: number) => received[id - 1]?.release();
    for (const id of [1, 2, 3, 4]) broker.send(message(id, `${id}`));
    await until('four messages', () => received.length === 4);
    for (const id of [3, 4, 1]) release(id);
    await until('the first acknowledgement', () => acknowledged(broker).length === 1);
    broker.send(message(5, '5'));
    await until('the fifth', () => received.length === 5);
    release(5);
    await reconnect();
    release(2);
    for (const id of [2, 3, 4, 5]) broker.send(message(id, `${id}`, { dup: true }));
    await caughtUp(broker, texts);
    expect(texts()).toEqual(['1', '2', '3', '4', '5', 'last']);
  });

  it('is known with MQTT 3.1.1, too, where the broker has more in flight than the window', async () => {
    const { broker, received, texts, reconnect } = await start({
      ...{ window: 2, version: '3.1.1', answersPings: false },
    });
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const id of ids) {
      broker.send(message(id, `open ${id}`));
      await until('the message', () => received.length === id);
      received[id - 1]?.release();
    }
    await until('all acknowledgements', () => acknowledged(broker).length === ids.length);
    await reconnect();
    for (const id of ids) broker.send(message(id, `open ${id}`, { dup: true }));
    await caughtUp(broker, texts);
    expect(texts()).toEqual([...ids.map((id) => `open ${id}`), 'last']);
  });

  it.each([
    ['without DUP', { dup: false }],
    ['with other bytes', { payload: 'opened' }],
    ['with another topic', { topic: 'engawa/gate/readings' }],
    ['with another packet identifier', { messageId: 2 }],
  ])('is another message %s', async (_, difference) => {
    const { broker, received, reconnect } = await start();
    broker.send(message(1, 'open'));
    await until('the message', () => received.length === 1);
    await reconnect();
    broker.send(message(1, 'open', { dup: true, ...difference }));
    await until('the other message', () => received.length === 2);
  });

  it('is another message in another session', async () => {
    const { broker, received, reconnect } = await start({ keepsSession: false });
    broker.send(message(1, 'open'));
    await until('the message', () => received.length === 1);
    await reconnect();
    broker.send(message(1, 'open', { dup: true }));
    await until('the other message', () => received.length === 2);
  });
});

it('a reused packet identifier means another message, even with equal bytes', async () => {
  const { broker, received, reconnect } = await start();
  broker.send(message(1, 'open'));
  await until('the message', () => received.length === 1);
  received[0]?.release();
  await until('its acknowledgement', () => acknowledged(broker).length === 1);
  // Identifier 2 is reused, so the broker has processed the acknowledgement of 1, too.
  broker.send(message(2, 'closed'));
  await until('the second', () => received.length === 2);
  received[1]?.release();
  await until('both', () => acknowledged(broker).length === 2);
  broker.send(message(2, 'open'));
  await until('the third', () => received.length === 3);
  await reconnect();
  broker.send(message(1, 'open', { dup: true }));
  await until('a fourth', () => received.length === 4);
});

it('has its properties as pairs, with any name', async () => {
  const { broker, received } = await start();
  const userProperties = Object.fromEntries([
    ['site', 'north'],
    ['tag', ['a', 'b']],
  ]) as Record<string, string | string[]>;
  Object.defineProperty(userProperties, '__proto__', { value: 'x', enumerable: true });
  broker.send(message(7, 'open', { dup: true, properties: { userProperties } }));
  await until('the message', () => received.length === 1);
  expect(received[0]).toMatchObject({ session: 'engawa-test-0', messageId: 7, duplicate: true });
  expect(received[0]?.userProperties).toEqual([
    ['site', 'north'],
    ['tag', 'a'],
    ['tag', 'b'],
    ['__proto__', 'x'],
  ]);
});

/** Two hundred messages are held while the connection is lost and restored. */
function holds(
  begin: () => Promise<{ url: string; close(): Promise<void> }>,
  version: '5' | '3.1.1',
) {
  it('emits each message once, for any number of lost connections while they are held', async () => {
    const broker = await begin();
    close.push(() => broker.close());
    const repeated: string[] = [];
    const { subscriber, received, ready, loses } = startSubscriber(broker.url, {
      version,
      onRepeated: (name) => repeated.push(name),
    });
    close.push(() => subscriber.close());
    await ready();
    const publisher = await connectAsync(broker.url);
    close.push(() => publisher.endAsync());
    const publish = (text: string) => publisher.publishAsync(topic, text, { qos: 1 });
    await Promise.all(Array.from({ length: 200 }, () => publish('open')));
    const atOnce = () => received.length;
    await until('the maximum that the broker sends at once', () => atOnce() >= 20);
    for (let cut = 1; cut <= 2; cut++) {
      const before = repeated.length;
      await loses(() => takeSession(broker.url, version));
      await until('the redeliveries', () => repeated.length >= before + 20);
    }
    const release = () => received.map((message) => message.release()).length;
    await until('all', () => release() === 200);
    await until('every acknowledgement', () => subscriber.unacknowledged() === 0);
    await publish('last');
    await until('the last', () => received.some(({ payload }) => payload.toString() === 'last'));
    expect(received).toHaveLength(201);
  });
}

/**
 * Connects with the subscriber's identifier, so that the broker ends the subscriber's connection; acknowledges nothing,
 * and disconnects.
 */
async function takeSession(url: string, version: '5' | '3.1.1'): Promise<void> {
  const intruder = connect(Number(new URL(url).port), '127.0.0.1');
  const protocolVersion = version === '5' ? 5 : 4;
  intruder.write(
    generate({
      cmd: 'connect',
      clientId: 'engawa-test-0',
      protocolVersion,
      clean: false,
      keepalive: 60,
      ...(version === '5' && { properties: { sessionExpiryInterval: 3600 } }),
    }),
  );
  await once(intruder, 'data'); // CONNACK
  intruder.destroy();
}

describe('with the embedded broker', () => holds(() => startBroker(), '3.1.1'));
describeWithMosquitto('with Mosquitto, MQTT 3.1.1', () => holds(() => startMosquitto(), '3.1.1'));
describeWithMosquitto('with Mosquitto, MQTT 5', () => holds(() => startMosquitto(), '5'));
