import { startBroker } from '@engawa/embedded';
import {
  describeWithMosquitto,
  grant,
  startMosquitto,
  startRawBroker,
  until,
} from '@engawa/testing';
import { pino } from 'pino';
import { startSubscriber } from './start-subscriber.ts';
import type { IConnackPacket } from 'mqtt-packet';
import type { SubscriberOptions } from '../src/index.ts';
import type { PacketResponders } from '@engawa/testing';

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of close.toReversed()) await step();
  close = [];
});

function subscribe(url: string, options: Partial<SubscriberOptions>) {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const started = startSubscriber(url, { log, ...options });
  close.push(() => started.subscriber.close());
  const limited = async (limit: string) => {
    const metrics = await started.registry.getSingleMetricAsString('engawa_mqtt_broker_limits');
    return metrics.includes(`{limit="${limit}"} 1`);
  };
  return { ...started, lines, limited };
}

async function startLimited(
  properties: NonNullable<IConnackPacket['properties']>,
  options: Partial<SubscriberOptions> = {},
  answers: PacketResponders = {},
) {
  const connack = { cmd: 'connack', reasonCode: 0, sessionPresent: false, properties } as const;
  const broker = await startRawBroker({ connack: () => connack, ...answers });
  close.push(() => broker.close());
  return { broker, ...subscribe(broker.url, { version: '5', ...options }) };
}

const births = { group: 'engawa', unsharedTopics: ['births/+'] };

describe('a limit in CONNACK', () => {
  it.each([
    ['session_expiry', { sessionExpiryInterval: 60 }, {}, 'for 60 s'],
    ['session_expiry', { sessionExpiryInterval: 0 }, {}, 'for 0 s'],
    ['maximum_packet_size', { maximumPacketSize: 1000 }, {}, 'up to 1000 bytes'],
    ['retained_messages', { retainAvailable: false }, {}, 'retained'],
    ['subscription_identifiers', { subscriptionIdentifiersAvailable: false }, births, 'birth'],
  ])('%s is logged, counted and reported, and messages are received', async (...row) => {
    const [limit, properties, options, words] = row;
    const { subscriber, ready, lines, limited } = await startLimited(properties, options);
    await ready();
    expect(subscriber.limitation()).toContain(words);
    expect(lines.filter((line) => line.includes(words))).toHaveLength(1);
    expect(await limited(limit)).toBe(true);
  });

  it.each([
    ['shared_subscriptions', { sharedSubscriptionAvailable: false }, 'MQTT_GROUP'],
    ['wildcard_subscriptions', { wildcardSubscriptionAvailable: false }, 'wildcards'],
  ])('%s makes the subscriber unavailable', async (limit, properties, words) => {
    const { subscriber, broker, limited } = await startLimited(properties, { group: 'engawa' });
    await until('the subscription', () => broker.seen.includes('subscribe'));
    await until('the reason', () => subscriber.unavailableReason()?.includes(words) === true);
    expect(await limited(limit)).toBe(true);
  });

  it('is no limit where nothing of it is configured', async () => {
    const { subscriber, ready } = await startLimited({
      ...{ sessionExpiryInterval: 3600, maximumPacketSize: 262_144, maximumQoS: 1 },
      ...{ sharedSubscriptionAvailable: false, subscriptionIdentifiersAvailable: false },
    });
    await ready();
    expect(subscriber.limitation()).toBeUndefined();
  });

  it('of QoS 0 is accepted: subscriptions and the self-test message have QoS 0', async () => {
    const { broker, subscriber, ready, received, limited } = await startLimited(
      { maximumQoS: 0 },
      { selfTestTopic: 'engawa/engawa-self-test-a/readings' },
      { suback: (packet) => grant(packet, 0) },
    );
    await ready();
    await until('the self-test message', () => broker.seen.includes('publish'));
    const isSelfTest = ({ cmd }: { cmd: string }) => cmd === 'publish';
    expect(broker.connections[0]?.packets.find(isSelfTest)).toMatchObject({ qos: 0 });
    const message = { cmd: 'publish', topic: 'engawa/d/readings', payload: 'x', qos: 0 } as const;
    broker.send({ ...message, dup: false, retain: false });
    await until('a message', () => received.length === 1);
    expect(subscriber.limitation()).toContain('QoS 0 only');
    expect(await limited('maximum_qos')).toBe(true);
  });
});

describe('a group over MQTT 3.1.1', () => {
  const member = {
    version: '3.1.1',
    group: 'engawa',
    selfTestTopic: 'engawa/engawa-self-test-a/readings',
  } as const;

  it('is unavailable at a broker without shared subscriptions', async () => {
    const broker = await startBroker();
    close.push(() => broker.close());
    const { subscriber, limited } = subscribe(broker.url, member);
    const reasons = new Set<string | undefined>();
    await until('the reason', () => {
      const reason = subscriber.unavailableReason();
      reasons.add(reason);
      return reason?.includes('does not support shared subscriptions') === true;
    });
    expect(reasons).not.toContain(undefined);
    expect(await limited('shared_subscriptions')).toBe(true);
  });

  it('is tested once where the broker ends the connection because of the test', async () => {
    let connections = 0;
    const connack = () =>
      ({ cmd: 'connack', returnCode: 0, sessionPresent: ++connections > 1 }) as const;
    const puback = () => {
      broker.connections.at(-1)?.cut();
      return undefined;
    };
    const broker = await startRawBroker({ connack, puback }, 4);
    close.push(() => broker.close());
    subscribe(broker.url, member);
    await until(
      'both test messages',
      () => broker.seen.filter((cmd) => cmd === 'publish').length === 2,
    );
    const topics = broker.connections.flatMap(({ packets }) =>
      packets.flatMap((packet) => (packet.cmd === 'publish' ? [packet.topic] : [])),
    );
    expect(topics).toEqual([`$share/engawa/${member.selfTestTopic}`, member.selfTestTopic]);
  });
});

describeWithMosquitto('a group over MQTT 3.1.1 at Mosquitto', () => {
  it('is available', async () => {
    const broker = await startMosquitto();
    close.push(() => broker.close());
    const { subscriber, ready } = subscribe(broker.url, {
      version: '3.1.1',
      group: 'engawa',
      selfTestTopic: 'engawa/engawa-self-test-a/readings',
    });
    await ready();
    expect(subscriber.limitation()).toBeUndefined();
  });
});
