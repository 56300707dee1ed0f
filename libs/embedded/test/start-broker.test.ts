import {
  connect as mqttConnect,
  connectAsync,
  type IClientOptions,
  type IPublishPacket,
  type MqttClient,
} from 'mqtt';
import { OperatorError } from '@engawa/errors';
import { startBroker, type Broker } from '../src/index.ts';
import { connectRaw } from './raw-client.ts';
import { waitUntil } from './wait-until.ts';

let broker: Broker;
let publisher: MqttClient;
const clients: MqttClient[] = [];

const connect = async (options: IClientOptions = {}) => {
  const client = await connectAsync(broker.url, { reconnectPeriod: 0, ...options });
  clients.push(client);
  return client;
};

/** Publishes the numbers `from` up to `to`, with 500 in flight. */
async function publish(from: number, to: number): Promise<void> {
  let next = from;
  const publishOneByOne = async () => {
    while (next < to) await publisher.publishAsync('readings', String(next++), { qos: 1 });
  };
  await Promise.all(Array.from({ length: 500 }, publishOneByOne));
}
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);
const numberOf = (packet: IPublishPacket) => Number(packet.payload.toString());

beforeEach(async () => {
  broker = await startBroker();
  publisher = await connect();
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.end(true);
  await broker.close();
});

it('names the port that is in use', async () => {
  const refused = startBroker({ port: broker.port });
  await expect(refused).rejects.toThrow(`port ${broker.port} on 127.0.0.1 is already in use`);
  await expect(refused).rejects.toBeInstanceOf(OperatorError);
});

it('closes with clients connected, and frees its port', async () => {
  await connectRaw(broker.port, 'held', () => undefined);
  await broker.close();
  broker = await startBroker({ port: broker.port });
  expect(broker.url).toBe(`mqtt://127.0.0.1:${broker.port}`);
});

it('keeps 20,000 messages for an offline subscriber, and delivers each once, in order', async () => {
  const session = { clientId: 'subscriber', clean: false };
  const before = await connect(session);
  await before.subscribeAsync('readings', { qos: 1 });
  before.end(true);
  await publish(0, 20_000);

  const received: number[] = [];
  const duplicates: number[] = [];
  const returned = mqttConnect(broker.url, session);
  returned.on('message', (_topic, payload, packet) => {
    received.push(Number(payload.toString()));
    if (packet.dup) duplicates.push(Number(payload.toString()));
  });
  clients.push(returned);
  await waitUntil(() => received.length >= 20_000);
  expect(received).toEqual(numbers(0, 20_000));
  expect(duplicates).toEqual([]);
});

it('delivers messages that arrive during a reconnect once, after the queued ones', async () => {
  const before = await connectRaw(broker.port, 'subscriber', () => undefined);
  before.destroy();
  await publish(0, 2_000);
  const received: number[] = [];
  const publishing = publish(2_000, 6_000);
  await connectRaw(broker.port, 'subscriber', (packet, acknowledge) => {
    received.push(numberOf(packet));
    acknowledge();
  });
  await publishing;
  await waitUntil(() => received.length >= 6_000);
  expect(received).toEqual(numbers(0, 6_000));
});

it('continues to send with 2,000 unacknowledged messages, and never reuses an identifier in flight', async () => {
  const inFlight = new Map<number, number>();
  const hold = (packet: IPublishPacket) => {
    const messageId = packet.messageId ?? 0;
    expect(inFlight.has(messageId)).toBe(false);
    inFlight.set(messageId, numberOf(packet));
  };
  const first = await connectRaw(broker.port, 'subscriber', hold);
  await publish(0, 2_000);
  await waitUntil(() => inFlight.size === 2_000);
  const held = new Map(inFlight);
  await publish(2_000, 3_000);
  await waitUntil(() => inFlight.size === 3_000);
  first.destroy();
  inFlight.clear();

  const again: IPublishPacket[] = [];
  const second = await connectRaw(broker.port, 'subscriber', (packet) => {
    hold(packet);
    again.push(packet);
  });
  await publish(3_000, 4_000);
  await waitUntil(() => inFlight.size === 4_000);
  expect([...inFlight.values()]).toEqual(numbers(0, 4_000));
  expect([...inFlight].slice(0, 2_000)).toEqual([...held]);
  expect(again.map(({ dup }) => dup)).toEqual(again.map((packet) => numberOf(packet) < 3_000));
  second.destroy();
});

it('stops at 10,000 in flight, and continues with each acknowledgement', async () => {
  let hold = true;
  const received = new Set<number>();
  const held: (() => void)[] = [];
  await connectRaw(broker.port, 'subscriber', (packet, acknowledge) => {
    received.add(numberOf(packet));
    if (hold) held.push(acknowledge);
    else acknowledge();
  });
  await publish(0, 12_000);
  await waitUntil(() => received.size === 10_000);
  hold = false;
  for (const acknowledge of held) acknowledge();
  await waitUntil(() => received.size === 12_000);
});

it('loses no message and repeats no acknowledged one when the subscriber is killed repeatedly', async () => {
  const acknowledged: number[] = [];
  let receivedInLife = 0;
  const live = () =>
    connectRaw(broker.port, 'subscriber', (packet, acknowledge) => {
      receivedInLife += 1;
      if (receivedInLife % 3 === 0 || receivedInLife > 600) return; // killed with these unacknowledged
      acknowledge();
      acknowledged.push(numberOf(packet));
    });
  (await live()).destroy();
  const publishing = publish(0, 10_000);
  for (let life = 0; life < 12; life += 1) {
    receivedInLife = 0;
    const client = await live();
    await waitUntil(() => receivedInLife > 600);
    await client.ping(); // the broker has processed every earlier acknowledgement
    client.destroy();
  }
  await publishing;
  const rest: number[] = [];
  await connectRaw(broker.port, 'subscriber', (packet, acknowledge) => {
    rest.push(numberOf(packet));
    acknowledge();
  });
  await waitUntil(() => rest.length >= 10_000 - acknowledged.length);
  expect([...acknowledged, ...rest].toSorted((a, b) => a - b)).toEqual(numbers(0, 10_000));
});

it('delivers retained messages to a new subscription with the retain flag, and later ones without', async () => {
  await publisher.publishAsync('readings', '1', { qos: 1, retain: true });
  const received: [number, boolean][] = [];
  await connectRaw(broker.port, 'subscriber', (packet, acknowledge) => {
    received.push([numberOf(packet), packet.retain]);
    acknowledge();
  });
  await waitUntil(() => received.length === 1);
  await publisher.publishAsync('readings', '2', { qos: 1, retain: true });
  await publisher.publishAsync('readings', '3', { qos: 1 });
  await waitUntil(() => received.length === 3);
  expect(received).toEqual([
    [1, true],
    [2, false],
    [3, false],
  ]);
});

it('drops the queue of a client that starts a clean session', async () => {
  const before = await connectRaw(broker.port, 'subscriber', () => undefined);
  await publish(0, 10);
  before.destroy();
  await connect({ clientId: 'subscriber', clean: true }).then((client) => client.endAsync());
  const received: number[] = [];
  await connectRaw(broker.port, 'subscriber', (packet) => received.push(numberOf(packet)));
  await publish(10, 11);
  await waitUntil(() => received.length > 0);
  expect(received).toEqual([10]);
});

it('delivers at QoS 0 and 2 too', async () => {
  const received: [number, number][] = [];
  for (const qos of [0, 2] as const) {
    const client = await connect({ clientId: `qos-${qos}`, clean: false });
    client.on('message', (_topic, payload) => received.push([qos, Number(payload.toString())]));
    await client.subscribeAsync('readings', { qos });
  }
  await publisher.publishAsync('readings', '1', { qos: 2 });
  await publisher.publishAsync('readings', '2', { qos: 0 });
  await publisher.publishAsync('readings', '3', { qos: 1 });
  await waitUntil(() => received.length === 6);
  const of = (qos: number) => received.filter(([its]) => its === qos).map(([, number]) => number);
  expect(of(0)).toEqual([1, 2, 3]);
  expect(of(2).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
});

it('delivers messages that arrive together with thousands for which there is no subscription', async () => {
  const received: number[] = [];
  const client = await connectRaw(broker.port, 'both', (packet) => received.push(numberOf(packet)));
  const message = { cmd: 'publish', qos: 0, dup: false, retain: false } as const;
  const wanted = numbers(0, 200).map((number) => ({
    ...message,
    topic: 'readings',
    payload: String(number),
  }));
  const unwanted = { ...message, topic: 'x', payload: '' };
  client.sendAll([...wanted, ...Array.from({ length: 12_000 }, () => unwanted)]);
  await client.ping();
  await waitUntil(() => received.length === 200);
  expect(received).toEqual(numbers(0, 200));
});
