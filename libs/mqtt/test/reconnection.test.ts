import { describeWithMosquitto, startMosquitto, startRawBroker, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { startSubscriber } from './start-subscriber.ts';
import type { PacketResponders, RawBroker, RawConnection } from '@engawa/testing';
import type { Packet } from 'mqtt-packet';
import type { Message, Subscriber, SubscriberOptions } from '../src/index.ts';

const subscribers: Subscriber[] = [];
let broker: RawBroker | undefined;
afterEach(async () => {
  await Promise.all(subscribers.splice(0).map((subscriber) => subscriber.close()));
  await broker?.close();
  broker = undefined;
});

async function start(options: Partial<SubscriberOptions>, answers: PacketResponders = {}) {
  const opened = await startRawBroker(answers);
  broker = opened;
  const started = startSubscriber(opened.url, { version: '5', ...options });
  subscribers.push(started.subscriber);
  await started.ready();
  return { ...started, broker: opened };
}

function message(payload: string, messageId?: number): Packet {
  const qos = messageId === undefined ? 0 : 1;
  const packet = { cmd: 'publish', topic: 'engawa/d/readings', payload, qos, dup: false } as const;
  return { ...packet, retain: false, ...(messageId !== undefined && { messageId }) };
}

function sendMany(connection: RawConnection | undefined, name: string, count: number): void {
  for (let id = 1; id <= count; id++) connection?.send(message(`${name} ${id}`, id));
}

const acknowledged = (connection: RawConnection | undefined): (number | undefined)[] =>
  (connection?.packets ?? [])
    .filter(({ cmd }) => cmd === 'puback')
    .map(({ messageId }) => messageId);
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('packet identifiers that a new connection reuses', () => {
  it('acknowledge messages of that connection only', async () => {
    const { received, broker, ready } = await start({});
    sendMany(broker.connections[0], 'old', 1000);
    await until('a thousand messages', () => received.length === 1000);
    broker.connections[0]?.cut();
    await until('another connection', () => broker.connections.length === 2);
    await ready();
    sendMany(broker.connections[1], 'new', 1000);
    await until('a thousand more', () => received.length === 2000);
    for (const old of received.slice(0, 1000)) old.release();
    received[1000]?.release();
    await until('its acknowledgement', () => acknowledged(broker.connections[1]).length === 1);
    for (const own of received.slice(1001)) own.release();
    await until('all', () => acknowledged(broker.connections[1]).length === 1000);
    expect(acknowledged(broker.connections[1])).toEqual(range(1000));
    expect(acknowledged(broker.connections[0])).toEqual([]);
  });
});

describe('the window', () => {
  it('spans connections: while it is full, no new connection is opened', async () => {
    const { received, broker, subscriber, ready } = await start({ window: 8 });
    sendMany(broker.connections[0], 'old', 8);
    await until('a full window', () => received.length === 8);
    broker.connections[0]?.cut();
    await until(
      'the reason',
      () => subscriber.unavailableReason()?.includes('MQTT_WINDOW messages') === true,
    );
    expect(subscriber.unacknowledged()).toBe(8);
    for (const old of received.slice(0, 3)) old.release();
    await ready();
    expect(broker.connections).toHaveLength(2);
    expect(subscriber.unacknowledged()).toBe(5);
    sendMany(broker.connections[1], 'new', 3);
    await until('the rest of the window', () => received.length === 11);
    sendMany(broker.connections[1], 'too many', 3);
    for (const one of received.slice(3, 6)) one.release();
    await until('room again', () => received.length === 14);
  });

  it('is not filled by messages of QoS 0: beyond half of it they are dropped, and counted', async () => {
    const dropped: string[] = [];
    const { received, broker } = await start({
      window: 10,
      onDropped: (topic) => dropped.push(topic),
    });
    for (const payload of range(20)) broker.send(message(`flood ${payload}`));
    broker.send(message('acknowledged', 1));
    await until('the one that matters', () => received.some(({ qos }) => qos === 1));
    expect(received.map(({ qos }) => qos)).toEqual([0, 0, 0, 0, 0, 1]);
    expect(dropped).toHaveLength(15);
  });
});

describe('a half-open connection', () => {
  it('is closed when pings get no response, and a new one is opened', async () => {
    const { broker, ready } = await start({ keepaliveSeconds: 1 }, { pingresp: () => undefined });
    await until('another connection', () => broker.connections.length > 1);
    await ready();
  });
});

it('a member that leaves its group also does so over the next connection if the first is lost', async () => {
  const { broker, received, subscriber } = await start({ group: 'engawa' });
  broker.send(message('held', 1));
  await until('the message', () => received.length === 1);
  const drained = subscriber.drain(AbortSignal.timeout(120_000));
  const names = (index: number) => broker.connections[index]?.packets.map(({ cmd }) => cmd) ?? [];
  await until('it to leave', () => names(0).includes('unsubscribe'));
  broker.connections[0]?.cut();
  await until('it to leave again', () => names(1).includes('unsubscribe'));
  received[0]?.release();
  await drained;
  await subscriber.close();
  expect(names(1)).not.toContain('subscribe');
});

it('a member that leaves its group receives queued messages until a ping is answered without any', async () => {
  const taken: string[] = [];
  let left = 3;
  const onMessage = (given: Message): void => {
    taken.push(String(given.payload));
    given.release();
  };
  const pingresp = (): Packet => {
    if (left > 0) broker?.send(message(`late ${left}`, left));
    left -= 1;
    return { cmd: 'pingresp' };
  };
  const { subscriber } = await start({ group: 'engawa', onMessage }, { pingresp });
  await subscriber.drain(AbortSignal.timeout(120_000));
  expect(taken).toEqual(['late 3', 'late 2', 'late 1']);
});

describeWithMosquitto('a member that leaves its group', () => {
  it.each(['5', '3.1.1'] as const)(
    'receives the messages queued for it (MQTT %s)',
    async (version) => {
      const mosquitto = await startMosquitto();
      try {
        const members = ['a', 'b'].map((name) => {
          const clientId = `engawa-test-${name}`;
          const started = startSubscriber(mosquitto.url, { version, clientId, group: 'engawa' });
          subscribers.push(started.subscriber);
          return started;
        });
        await Promise.all(members.map(({ ready }) => ready()));
        const publisher = await connectAsync(mosquitto.url);
        const sent = range(500).map((number) =>
          publisher.publishAsync('engawa/d/readings', String(number), { qos: 1 }),
        );
        await Promise.all(sent);
        const [leaving] = members;
        const leave = leaving?.subscriber.drain(AbortSignal.timeout(120_000));
        const release = setInterval(() => {
          for (const { received } of members) for (const one of received) one.release();
        }, 5);
        await leave;
        const late = range(20).map((number) =>
          publisher.publishAsync('engawa/d/readings', `late ${number}`, { qos: 1 }),
        );
        await Promise.all(late);
        const all = () =>
          new Set(
            members.flatMap(({ received }) => received.map(({ payload }) => String(payload))),
          );
        await until('all', () => all().size === 520);
        clearInterval(release);
        expect(leaving?.received.some(({ payload }) => String(payload).startsWith('late'))).toBe(
          false,
        );
        await publisher.endAsync();
      } finally {
        await Promise.all(subscribers.splice(0).map((subscriber) => subscriber.close()));
        await mosquitto.close();
      }
    },
  );
});

describeWithMosquitto('a member that stays in its group', () => {
  it.each(['5', '3.1.1'] as const)(
    'receives the messages queued while it was offline (MQTT %s)',
    async (version) => {
      const mosquitto = await startMosquitto();
      const begin = async (name: string) => {
        const member = { version, clientId: name, group: 'engawa', staysInGroup: name === 'stays' };
        const started = startSubscriber(mosquitto.url, member);
        subscribers.push(started.subscriber);
        await started.ready();
        return started;
      };
      try {
        for (const { subscriber } of [await begin('stays'), await begin('leaves')]) {
          await subscriber.drain(AbortSignal.timeout(120_000));
          await subscriber.close();
        }
        const publisher = await connectAsync(mosquitto.url);
        for (const number of range(20))
          await publisher.publishAsync('engawa/d/readings', String(number), { qos: 1 });
        await publisher.endAsync();
        const [leaves, stays] = [await begin('leaves'), await begin('stays')];
        await until('all', () => stays.received.length === 20);
        expect(leaves.received).toEqual([]);
      } finally {
        await Promise.all(subscribers.splice(0).map((subscriber) => subscriber.close()));
        await mosquitto.close();
      }
    },
  );
});
