import { Simulated } from './support/simulated.ts';
import { RawClient } from './support/raw-client.ts';

describe.each([4, 5] as const)('a connection of MQTT version %d', (version) => {
  it('receives CONNACK with the session-present flag', async () => {
    const simulated = new Simulated();
    const lasting =
      version === 5
        ? { clean: false, properties: { sessionExpiryInterval: 60 } }
        : { clean: false };
    const present = async (options: object) => {
      const client = await simulated.raw('one', { version, ...options });
      const [connack] = client.of('connack');
      client.send({ cmd: 'disconnect', reasonCode: 0 });
      await simulated.settle();
      return connack?.sessionPresent;
    };
    expect(await present(lasting)).toBe(false);
    expect(await present(lasting)).toBe(true);
    expect(await present({ clean: true })).toBe(false);
    expect(await present({ clean: true })).toBe(false);
    expect(simulated.broker.hasSession('one')).toBe(false);
  });

  it('is closed after 1.5 times the keep alive without a packet', async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', { version, keepalive: 10 });
    await simulated.advance(14_000);
    client.send({ cmd: 'pingreq' });
    await simulated.advance(14_900);
    expect(client.isClosed).toBe(false);
    expect(client.packets.at(-1)).toMatchObject({ cmd: 'pingresp' });
    await simulated.advance(200);
    expect(client.isClosed).toBe(true);
    expect(client.of('disconnect').map(({ reasonCode }) => reasonCode)).toEqual(
      version === 5 ? [0x8d] : [],
    );
  });

  it('ends when another connection uses its client identifier', async () => {
    const simulated = new Simulated();
    const older = await simulated.raw('one', { version });
    const newer = await simulated.raw('one', { version });
    expect(older.isClosed).toBe(true);
    expect(newer.isClosed).toBe(false);
    expect(older.of('disconnect').map(({ reasonCode }) => reasonCode)).toEqual(
      version === 5 ? [0x8e] : [],
    );
    expect(simulated.broker.isConnected('one')).toBe(true);
  });

  it('is refused while the broker refuses connections', async () => {
    const simulated = new Simulated();
    simulated.broker.refuseConnects(0x88, 1000);
    const refused = await simulated.raw('one', { version });
    const [connack] = refused.of('connack');
    expect(version === 5 ? connack?.reasonCode : connack?.returnCode).toBe(
      version === 5 ? 0x88 : 3,
    );
    expect(refused.isClosed).toBe(true);
    await simulated.advance(1001);
    const accepted = await simulated.raw('one', { version });
    expect(accepted.isClosed).toBe(false);
  });

  it.each<[string, (client: RawClient) => void]>([
    ['a packet before CONNECT', (client) => client.send({ cmd: 'pingreq' })],
    [
      'a second CONNECT',
      (client) => {
        client.connect();
        client.connect();
      },
    ],
    ['bytes that are not MQTT', (client) => client.stream.write(Buffer.from('ffffffffff', 'hex'))],
    [
      'a SUBACK',
      (client) => {
        client.connect();
        client.send({ cmd: 'suback', messageId: 1, granted: [0] });
      },
    ],
    [
      'a topic with a wildcard',
      (client) => {
        client.connect();
        client.publish('a/#', 'x');
      },
    ],
    [
      'a topic with U+0000',
      (client) => {
        client.connect();
        client.publish('a\0b', 'x');
      },
    ],
    [
      'DUP with QoS 0',
      (client) => {
        client.connect();
        client.publish('a', 'x', { qos: 0, dup: true });
      },
    ],
    [
      'packet identifier 0',
      (client) => {
        client.connect();
        client.publish('a', 'x', { messageId: 0 });
      },
    ],
    [
      'an empty filter',
      (client) => {
        client.connect();
        client.subscribe(['']);
      },
    ],
  ])('is closed after %s', async (_what, violate) => {
    const simulated = new Simulated();
    const client = new RawClient(simulated.open(), version);
    violate(client);
    await simulated.settle();
    expect(client.isClosed).toBe(true);
    expect(simulated.broker.isConnected('raw')).toBe(false);
    expect(simulated.broker.takeSettledDeliveries()).toEqual([]);
  });
});

it.each<[string, number, (client: RawClient) => void]>([
  ['a topic alias', 0x94, (client) => client.publish('a', 'x', { properties: { topicAlias: 1 } })],
  [
    'a subscription identifier in PUBLISH',
    0x82,
    (client) => client.publish('a', 'x', { properties: { subscriptionIdentifier: 1 } }),
  ],
  [
    'No Local on a shared subscription',
    0x82,
    (client) => client.subscribe(['$share/g/a'], { nl: true }),
  ],
  [
    'a session expiry interval after a CONNECT without one',
    0x82,
    (client) =>
      client.send({ cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 5 } }),
  ],
])('an MQTT 5 DISCONNECT has the reason code: %s', async (_what, code, violate) => {
  const simulated = new Simulated();
  const client = await simulated.raw('one');
  violate(client);
  await simulated.settle();
  expect(client.of('disconnect').map(({ reasonCode }) => reasonCode)).toEqual([code]);
  expect(client.isClosed).toBe(true);
});

it.each([
  ['an authentication method', 0x8c, { properties: { authenticationMethod: 'unknown' } }],
  ['a will with a wildcard', 0x90, { will: { topic: 'a/#', payload: 'x' } }],
] as const)('CONNECT with %s is refused', async (_what, code, options) => {
  const simulated = new Simulated();
  const client = await simulated.raw('one', options);
  expect(client.of('connack').map(({ reasonCode }) => reasonCode)).toEqual([code]);
  expect(client.isClosed).toBe(true);
  expect(simulated.broker.hasSession('one')).toBe(false);
});

it.each(['receiveMaximum', 'maximumPacketSize'])('a %s of 0 is a protocol error', async (name) => {
  const simulated = new Simulated();
  const client = await simulated.raw('one', { properties: { [name]: 0 } });
  expect(client.isClosed).toBe(true);
  expect(client.of('connack')).toEqual([]);
});

describe('a client without an identifier', () => {
  it('receives an assigned one', async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('');
    const identifier = client.of('connack')[0]?.properties?.assignedClientIdentifier;
    expect(identifier).toEqual(expect.any(String));
    expect(simulated.broker.isConnected(identifier ?? '')).toBe(true);
  });

  it('is rejected with MQTT 3.1.1 when it asks for a persistent session', async () => {
    const simulated = new Simulated();
    const client = new RawClient(simulated.open(), 4);
    // CONNECT without flags, with keep alive 0 and an empty identifier, which the library does not generate.
    client.stream.write(Buffer.from('100c00044d515454040000000000', 'hex'));
    await simulated.settle();
    expect(client.of('connack')[0]?.returnCode).toBe(2);
    expect(client.isClosed).toBe(true);
  });
});

describe('a session', () => {
  it('expires after its expiry interval without a connection', async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', {
      clean: false,
      properties: { sessionExpiryInterval: 10 },
    });
    client.subscribe(['a']);
    await simulated.settle();
    simulated.broker.cut('one', 'reset');
    await simulated.advance(9000);
    simulated.publish('a', 1, 1);
    expect(simulated.broker.hasSession('one')).toBe(true);
    await simulated.advance(1001);
    expect(simulated.broker.hasSession('one')).toBe(false);
    expect(simulated.outcomes()).toEqual({ sessionEnded: 1 });
  });

  it('does not expire while the client is connected; DISCONNECT can change the expiry interval', async () => {
    const simulated = new Simulated();
    const options = { clean: false, properties: { sessionExpiryInterval: 10 } };
    await simulated.raw('one', options);
    simulated.broker.cut('one', 'reset');
    await simulated.advance(9000);
    const back = await simulated.raw('one', options);
    await simulated.advance(60_000);
    expect(simulated.broker.hasSession('one')).toBe(true);
    back.send({ cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: 2 } });
    await simulated.advance(2001);
    expect(simulated.broker.hasSession('one')).toBe(false);
  });
});
