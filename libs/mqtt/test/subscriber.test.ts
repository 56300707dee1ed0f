import { startBroker } from '@engawa/embedded';
import { describeWithMosquitto, freePort, startMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { startSubscriber } from './start-subscriber.ts';
import type { Message, Subscriber, SubscriberOptions } from '../src/index.ts';

const subscribers: Subscriber[] = [];
const brokers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(subscribers.splice(0).map((subscriber) => subscriber.close()));
  await Promise.all(brokers.splice(0).map((broker) => broker.close()));
});

async function opened<Broker extends { close(): Promise<void> }>(
  broker: Promise<Broker>,
): Promise<Broker> {
  brokers.push(await broker);
  return broker;
}

function subscribe(url: string, options: Partial<SubscriberOptions> = {}) {
  const started = startSubscriber(url, options);
  subscribers.push(started.subscriber);
  return started;
}

async function publish(url: string, payloads: string[]): Promise<void> {
  const client = await connectAsync(url);
  await Promise.all(
    payloads.map((payload) => client.publishAsync('engawa/d/readings', payload, { qos: 1 })),
  );
  await client.endAsync();
}

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index));
const texts = (messages: Message[]): string[] => messages.map(({ payload }) => payload.toString());

/** Tests for every broker and version. */
function delivers(
  start: () => Promise<{ url: string; close(): Promise<void> }>,
  version: '5' | '3.1.1',
): void {
  it('receives unreleased messages again, and released ones once', async () => {
    const { url } = await opened(start());
    const first = subscribe(url, { version });
    await first.ready();
    await publish(url, numbers(10));
    await until('ten messages', () => first.received.length === 10);
    for (const message of first.received.slice(0, 4)) message.release();
    await first.subscriber.close();

    const second = subscribe(url, { version });
    await until('the rest', () => second.received.length === 6);
    expect(texts(second.received)).toEqual(numbers(10).slice(4));
    expect(second.received.every(({ duplicate }) => duplicate)).toBe(true);
    for (const message of first.received) message.release(); // of a closed connection
    await second.subscriber.close();

    const third = subscribe(url, { version });
    await until('the messages once more', () => third.received.length === 6);
  });

  it('passes thousands of messages through a window of a hundred', async () => {
    const { url } = await opened(start());
    let most = 0;
    const received = new Set<string>();
    const { subscriber, ready } = subscribe(url, {
      version,
      window: 100,
      onMessage: (message) => {
        most = Math.max(most, subscriber.unacknowledged());
        received.add(message.payload.toString());
        setImmediate(() => message.release());
      },
    });
    await ready();
    await publish(url, numbers(5000));
    await until('all messages', () => received.size === 5000);
    await until('all acknowledgements', () => subscriber.unacknowledged() === 0);
    expect(most).toBeGreaterThan(1);
  });

  it('keeps the connection while it holds a full window for longer than the keep-alive', async () => {
    const { url } = await opened(start());
    const { subscriber, received, registry, ready } = subscribe(url, {
      version,
      window: 2,
      keepaliveSeconds: 1,
    });
    await ready();
    await publish(url, numbers(10));
    await until('a full window', () => received.length >= 2);
    await new Promise((resolve) => setTimeout(resolve, 3500)); // three and a half keep-alives: the test is about this duration
    expect(subscriber.unavailableReason()).toBeUndefined();
    expect(await registry.getSingleMetricAsString('engawa_mqtt_connects_total')).toContain(
      'total 1',
    );
    const releaseAll = () => received.splice(0).map((message) => message.release()).length;
    let released = 0;
    await until('the others', () => (released += releaseAll()) === 10);
  });
}

describe('with the embedded broker', () => delivers(() => startBroker(), '3.1.1'));
describeWithMosquitto('with Mosquitto, MQTT 3.1.1', () =>
  delivers(() => startMosquitto(), '3.1.1'),
);
describeWithMosquitto('with Mosquitto, MQTT 5', () => delivers(() => startMosquitto(), '5'));

describeWithMosquitto('a group', () => {
  it.each(['5', '3.1.1'] as const)(
    'shares the messages over MQTT %s, and takes over from a member that leaves',
    async (version) => {
      const { url } = await opened(startMosquitto());
      const all: string[] = [];
      const onMessage = (message: Message) => {
        all.push(message.payload.toString());
        message.release();
      };
      const join = (clientId: string) =>
        subscribe(url, { version, clientId, group: 'engawa', onMessage });
      const [first, second] = [join('engawa-test-0'), join('engawa-test-1')];
      await Promise.all([first.ready(), second.ready()]);
      await publish(url, numbers(100));
      await until('all messages', () => all.length === 100);
      await first.subscriber.drain(AbortSignal.timeout(120_000));
      await first.subscriber.close();
      await publish(url, numbers(200).slice(100));
      await until('the messages of the former member, too', () => all.length === 200);
      expect(new Set(all)).toEqual(new Set(numbers(200)));
    },
  );
});

describeWithMosquitto('a broker that refuses', () => {
  it('is reported, and connected to once it accepts', async () => {
    const port = await freePort();
    const refusing = await startMosquitto({ port, settings: ['allow_anonymous false'] });
    const { subscriber, ready } = subscribe(refusing.url);
    await until('the refusal', () =>
      (subscriber.unavailableReason() ?? '').includes('Not authorized'),
    );
    await refusing.close();
    await opened(startMosquitto({ port }));
    await ready();
  });
});

describe('an unreachable broker', () => {
  it('is reported, and tried again', async () => {
    const port = await freePort();
    const { subscriber, ready } = subscribe(`mqtt://user:secret@127.0.0.1:${port}`);
    await until('the failure', () =>
      (subscriber.unavailableReason() ?? '').includes('nothing listens'),
    );
    expect(subscriber.unavailableReason()).toBe(
      `cannot connect to mqtt://127.0.0.1:${port}: connection refused: nothing listens at this address`,
    );
    await opened(startBroker({ port }));
    await ready();
  });

  it('delivers no more messages to a subscriber that drains during a reconnect', async () => {
    const port = await freePort();
    const broker = await startBroker({ port });
    const draining = subscribe(broker.url, { clientId: 'engawa-test-draining' });
    await draining.ready();
    await draining.subscriber.drain(AbortSignal.timeout(120_000));
    await broker.close();
    await until('the loss', () => draining.subscriber.unavailableReason() !== undefined);
    await opened(startBroker({ port }));
    const other = subscribe(broker.url);
    await Promise.all([draining.ready(), other.ready()]);
    await publish(broker.url, numbers(3));
    await until('the other member to receive them', () => other.received.length === 3);
    expect(draining.received).toEqual([]);
  });

  it('is reported as missing when it ends, and so is a lost session', async () => {
    const port = await freePort();
    const broker = await startBroker({ port });
    const { subscriber, registry, ready } = subscribe(broker.url);
    await ready();
    await broker.close();
    await until('the loss', () => subscriber.unavailableReason() !== undefined);
    await opened(startBroker({ port }));
    await ready();
    expect(await registry.getSingleMetricAsString('engawa_mqtt_sessions_lost_total')).toContain(
      'total 1',
    );
  });
});
