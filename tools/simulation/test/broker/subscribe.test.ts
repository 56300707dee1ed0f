import { Simulated } from './support/simulated.ts';
import type { ISubscription } from 'mqtt-packet';

const versions = [4, 5] as const;

describe.each(versions)('a subscription with MQTT version %d', (version) => {
  it.each([0, 1, 2] as const)(
    'is granted at QoS %d, and limits the QoS of messages',
    async (qos) => {
      const simulated = new Simulated();
      const client = await simulated.raw('one', { version });
      client.subscribe(['a'], { qos });
      await simulated.settle();
      expect(client.of('suback')[0]?.granted).toEqual([qos]);
      for (const published of [0, 1, 2] as const)
        simulated.publish('a', published, published, published);
      await simulated.settle();
      const received = client.of('publish').map(({ payload, qos: at }) => [payload.toString(), at]);
      expect(received).toEqual([0, 1, 2].map((sent) => [`${sent}`, Math.min(sent, qos)]));
    },
  );

  it.each([
    ['a/b', ['a/b'], ['a', 'a/b/c', 'a/B', '/a/b', 'a/b/']],
    ['a/+', ['a/b', 'a/'], ['a', 'a/b/c']],
    ['+/b', ['a/b', '/b'], ['b', '$a/b']],
    ['a/#', ['a', 'a/b', 'a/b/c', 'a/'], ['ab', 'b/a']],
    ['#', ['a', 'a/b', '/'], ['$SYS', '$SYS/x']],
    ['+', ['a'], ['$a', 'a/b', '/a']],
    ['$SYS/#', ['$SYS', '$SYS/x'], ['SYS/x']],
    ['/+', ['/a'], ['a', '/a/b']],
    ['+/+', ['/a', 'a/b', '/'], ['a', 'a/b/c']],
  ])('to %s matches topics as the standard defines', async (filter, matching, others) => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', { version });
    client.subscribe([filter]);
    await simulated.settle();
    for (const topic of [...matching, ...others]) simulated.publish(topic, 1, 1);
    await simulated.settle();
    expect(client.of('publish').map(({ topic }) => topic)).toEqual(matching);
  });

  it.each(['a/#/b', 'a#', 'a/b+', '$share//a', '$share/g', '$share/g+/a', '$share/g/'])(
    'to %s is refused',
    async (filter) => {
      const simulated = new Simulated();
      const client = await simulated.raw('one', { version });
      client.subscribe([filter, 'good']);
      await simulated.settle();
      expect(client.of('suback')[0]?.granted).toEqual([version === 5 ? 0x8f : 0x80, 1]);
    },
  );

  it('ends with UNSUBSCRIBE', async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', { version });
    client.subscribe(['a', '$share/g/b']);
    client.send({
      cmd: 'unsubscribe',
      messageId: 2,
      unsubscriptions: ['a', 'never', '$share/g/b'],
    });
    await simulated.settle();
    simulated.publish('a', 1, 1);
    simulated.publish('b', 1, 1);
    await simulated.settle();
    expect(client.of('unsuback')[0]?.granted).toEqual(version === 5 ? [0, 0x11, 0] : undefined);
    expect(client.payloads).toEqual([]);
    expect(simulated.outcomes()).toEqual({ noSubscription: 2 });
  });

  it('is replaced by a repeated subscription', async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', { version });
    client.subscribe(['a'], { qos: 1 });
    client.subscribe(['a'], { qos: 0 });
    await simulated.settle();
    simulated.publish('a', 1, 1);
    await simulated.settle();
    expect(client.of('publish').map(({ qos }) => qos)).toEqual([0]);
  });
});

describe('retained messages', () => {
  const retain = (simulated: Simulated, topic: string, payload: string, expirySeconds?: number) =>
    simulated.broker.publish({
      topic,
      payload,
      qos: 1,
      retain: true,
      ...(expirySeconds !== undefined && { properties: { messageExpiryInterval: expirySeconds } }),
    });

  it.each(versions)(
    'are sent to new subscriptions of MQTT version %d with the retain flag',
    async (version) => {
      const simulated = new Simulated();
      retain(simulated, 'a/1', 'first');
      retain(simulated, 'a/1', 'second');
      retain(simulated, 'a/2', 'gone');
      retain(simulated, 'a/2', '');
      const client = await simulated.raw('one', { version });
      client.subscribe(['a/#']);
      await simulated.settle();
      retain(simulated, 'a/3', 'live');
      await simulated.settle();
      const received = client
        .of('publish')
        .map(({ payload, retain: flag }) => [payload.toString(), flag]);
      expect(received).toEqual([
        ['second', true],
        ['live', false],
      ]);
    },
  );

  it.each([
    [0, ['r', 'r']],
    [1, ['r']],
    [2, []],
  ])('are sent for two SUBSCRIBE packets with retain handling %d: %j', async (rh, expected) => {
    const simulated = new Simulated();
    retain(simulated, 'a', 'r');
    const client = await simulated.raw('one');
    client.subscribe(['a'], { rh });
    client.subscribe(['a'], { rh });
    await simulated.settle();
    expect(client.payloads).toEqual(expected);
  });

  it('keep their flag for a subscription with Retain As Published', async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one');
    const subscriptions: ISubscription[] = [{ topic: 'a', qos: 1, rap: true }];
    client.send({ cmd: 'subscribe', messageId: 1, subscriptions });
    await simulated.settle();
    retain(simulated, 'a', 'r');
    simulated.publish('a', 1, 1);
    await simulated.settle();
    expect(client.of('publish').map((packet) => packet.retain)).toEqual([true, false]);
  });

  it('are sent with the remaining expiry interval, and not after it', async () => {
    const simulated = new Simulated();
    retain(simulated, 'a', 'r', 10);
    await simulated.advance(4000);
    const client = await simulated.raw('one');
    client.subscribe(['a']);
    await simulated.advance(6001);
    client.subscribe(['a']);
    await simulated.settle();
    expect(client.of('publish').map(({ properties }) => properties?.messageExpiryInterval)).toEqual(
      [6],
    );
    expect(simulated.outcomes()).toEqual({ noSubscription: 1 });
  });
});

it('a client does not receive its own messages with No Local', async () => {
  const simulated = new Simulated();
  const client = await simulated.raw('one');
  client.subscribe(['a'], { nl: true });
  client.subscribe(['b']);
  client.publish('a', 'own', { messageId: 5 });
  client.publish('b', 'other', { messageId: 6 });
  await simulated.settle();
  simulated.publish('a', 1, 1);
  await simulated.settle();
  expect(client.payloads).toEqual(['other', '1']);
});

it('subscription identifiers name the matching subscriptions', async () => {
  const simulated = new Simulated();
  const client = await simulated.raw('one');
  const subscribe = (topic: string, subscriptionIdentifier: number) =>
    client.send({
      cmd: 'subscribe',
      messageId: 1,
      subscriptions: [{ topic, qos: 1 }],
      properties: { subscriptionIdentifier },
    });
  subscribe('a/#', 7);
  subscribe('a/b', 300);
  await simulated.settle();
  simulated.publish('a/b', 1, 1);
  simulated.publish('a/c', 2, 2);
  await simulated.settle();
  expect(client.of('publish').map(({ properties }) => properties?.subscriptionIdentifier)).toEqual([
    [7, 300],
    7,
  ]);
});

describe('a shared subscription', () => {
  it('delivers each message to one member, and to each other subscriber', async () => {
    const simulated = new Simulated();
    const [one, two, plain] = [
      await simulated.raw('one'),
      await simulated.raw('two', { version: 4 }),
      await simulated.raw('plain'),
    ];
    one.subscribe(['$share/g/a/+']);
    two.subscribe(['$share/g/a/+']);
    plain.subscribe(['a/#']);
    await simulated.settle();
    const payloads = simulated.publish('a/b', 1, 6);
    await simulated.settle();
    expect(plain.payloads).toEqual(payloads);
    expect([one.payloads, two.payloads]).toEqual([
      ['1', '3', '5'],
      ['2', '4', '6'],
    ]);
  });

  it('delivers no retained messages', async () => {
    const simulated = new Simulated();
    simulated.broker.publish({ topic: 'a', payload: 'r', qos: 1, retain: true });
    const client = await simulated.raw('one');
    client.subscribe(['$share/g/a']);
    await simulated.settle();
    expect(client.payloads).toEqual([]);
  });
});
