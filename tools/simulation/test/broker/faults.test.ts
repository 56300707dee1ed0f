import { Simulated } from './support/simulated.ts';
import { RawClient } from './support/raw-client.ts';
import { mosquitto } from '../../src/broker/index.ts';

const versions = [4, 5] as const;

describe('a cut connection', () => {
  it('is noticed by both ends at once when it is reset', async () => {
    const simulated = new Simulated();
    const client = await simulated.lasting('one');
    expect(simulated.broker.cut('one', 'reset')).toBe(true);
    await simulated.settle();
    expect(client.isClosed).toBe(true);
    expect(client.of('disconnect')).toEqual([]);
    expect(simulated.broker.isConnected('one')).toBe(false);
    expect(simulated.broker.cut('one', 'reset')).toBe(false);
  });

  it('loses all packets in both directions until the keep alive expires when it is silent', async () => {
    const simulated = new Simulated();
    const client = await simulated.lasting('one', { keepalive: 10 });
    client.subscribe(['a']);
    await simulated.settle();
    simulated.broker.cut('one', 'silent');
    simulated.publish('a', 1, 1);
    await simulated.advance(8000);
    client.send({ cmd: 'pingreq' });
    client.publish('b', 'lost');
    await simulated.advance(6000);
    expect(simulated.outcomes()).toEqual({});
    expect(client.packets.map(({ cmd }) => cmd)).toEqual(['connack', 'suback']);
    expect(client.isClosed).toBe(false);
    expect(simulated.broker.isConnected('one')).toBe(true);
    expect(simulated.broker.oldestUnacknowledged()).toMatchObject({ state: 'inFlight' });
    await simulated.advance(2000);
    expect(simulated.broker.isConnected('one')).toBe(false);
    expect(client.isClosed).toBe(false);
    const back = await simulated.lasting('one');
    expect(back.of('publish')).toMatchObject([{ dup: true }]);
  });

  it('ends with a takeover, without a packet to the former client, when it is silent', async () => {
    const simulated = new Simulated();
    const client = await simulated.lasting('one');
    simulated.broker.cut('one', 'silent');
    client.stream.destroy();
    await simulated.settle();
    expect(simulated.broker.isConnected('one')).toBe(true);
    const back = await simulated.lasting('one');
    expect(back.of('connack')[0]?.sessionPresent).toBe(true);
    expect(client.of('disconnect')).toEqual([]);
  });
});

describe('a paused broker', () => {
  it('accepts connections, sends nothing, and continues after the pause', async () => {
    const simulated = new Simulated();
    const client = await simulated.raw('one', { keepalive: 10 });
    client.subscribe(['a']);
    await simulated.settle();
    simulated.broker.pause();
    const late = new RawClient(simulated.open(), 5);
    late.connect({ clientId: 'late' });
    late.publish('a', 'from late', { messageId: 1 });
    client.publish('a', 'own', { messageId: 1 });
    const refused = simulated.broker.publish({ topic: 'a', payload: 'no', qos: 1, retain: false });
    expect(refused).toBeUndefined();
    await simulated.advance(60_000);
    expect(late.packets).toEqual([]);
    expect(late.isClosed).toBe(false);
    expect(client.of('puback')).toEqual([]);
    simulated.broker.resume();
    await simulated.settle();
    expect(late.packets.map(({ cmd }) => cmd)).toEqual(['connack', 'puback']);
    expect(client.payloads.toSorted()).toEqual(['from late', 'own']);
  });
});

it('a connection cut while the broker is paused ends for its client at once', async () => {
  const simulated = new Simulated();
  const client = await simulated.lasting('one');
  simulated.broker.pause();
  simulated.broker.cut('one', 'reset');
  await simulated.settle();
  expect(client.isClosed).toBe(true);
  expect(simulated.broker.isConnected('one')).toBe(true);
  simulated.broker.resume();
  expect(simulated.broker.isConnected('one')).toBe(false);
});

describe('a restart', () => {
  it.each(versions)(
    'closes connections of MQTT version %d, gracefully or abruptly',
    async (version) => {
      for (const how of ['clean', 'kill'] as const) {
        const simulated = new Simulated();
        const client = await simulated.raw('one', { version });
        simulated.broker.restart({ how });
        await simulated.settle();
        expect(client.isClosed).toBe(true);
        const isTold = how === 'clean' && version === 5;
        expect(client.of('disconnect').map(({ reasonCode }) => reasonCode)).toEqual(
          isTold ? [0x8b] : [],
        );
      }
    },
  );

  it('accepts no connections until it is complete', async () => {
    const simulated = new Simulated();
    const client = await simulated.lasting('one');
    client.subscribe(['a']);
    await simulated.settle();
    simulated.broker.restart({ how: 'kill', downMs: 3000 });
    const early = new RawClient(simulated.open(), 5);
    await simulated.settle();
    expect(early.isClosed).toBe(true);
    const message = { topic: 'a', payload: 'x', qos: 1, retain: false } as const;
    expect(simulated.broker.publish(message)).toBeUndefined();
    await simulated.advance(3001);
    expect(simulated.broker.publish(message)).toMatchObject({ topic: 'a' });
    expect((await simulated.lasting('one')).payloads).toEqual(['x']);
  });

  it('keeps messages in flight with their packet identifiers, and QoS 2 messages in both directions', async () => {
    const simulated = new Simulated();
    const client = await simulated.lasting('one');
    client.subscribe(['a'], { qos: 2 });
    client.publish('b', 'mine', { qos: 2, messageId: 9 });
    await simulated.settle();
    simulated.publish('a', 1, 2, 2);
    await simulated.settle();
    const [first = 0, second] = client.messageIds;
    client.send({ cmd: 'pubrec', messageId: first, reasonCode: 0 });
    await simulated.settle();
    simulated.broker.restart({ how: 'clean' });
    const listener = await simulated.raw('listener');
    listener.subscribe(['b']);
    const back = await simulated.lasting('one');
    back.send({ cmd: 'pubrel', messageId: 9, reasonCode: 0 });
    await simulated.settle();
    expect(back.packets.slice(1).map(({ cmd, messageId }) => [cmd, messageId])).toEqual([
      ['pubrel', first],
      ['publish', second],
      ['pubcomp', 9],
    ]);
    expect(listener.payloads).toEqual(['mine']);
  });

  it('deletes sessions that end with their connection, and keeps the expiry of the others', async () => {
    const simulated = new Simulated();
    await simulated.raw('short');
    await simulated.lasting('long', { properties: { sessionExpiryInterval: 10 } });
    simulated.broker.cut('long', 'reset');
    await simulated.advance(6000);
    simulated.broker.restart({ how: 'kill' });
    expect(simulated.broker.hasSession('short')).toBe(false);
    expect(simulated.broker.hasSession('long')).toBe(true);
    await simulated.advance(4001);
    expect(simulated.broker.hasSession('long')).toBe(false);
  });
});

describe('the ledger of deliveries', () => {
  it('returns the oldest unacknowledged message and the time of its receipt', async () => {
    const simulated = new Simulated();
    const client = await simulated.lasting('one');
    client.subscribe(['a']);
    await simulated.advance(1000);
    simulated.publish('a', 1, 1);
    await simulated.advance(1000);
    simulated.publish('a', 2, 2);
    await simulated.settle();
    const oldest = () => simulated.broker.oldestUnacknowledged();
    expect(oldest()).toMatchObject({
      session: 'one',
      state: 'inFlight',
      attempts: 1,
      message: { takenAt: 1000 },
    });
    client.acknowledge(0, 1);
    await simulated.settle();
    expect(oldest()?.message.takenAt).toBe(2000);
    client.acknowledge(1);
    await simulated.settle();
    expect(oldest()).toBeUndefined();
    expect([...simulated.broker.openDeliveries()]).toEqual([]);
  });

  it('has one record per session and group, and one for a message without subscribers', async () => {
    const simulated = new Simulated(mosquitto);
    const plain = await simulated.raw('plain');
    plain.subscribe(['a']);
    const member = await simulated.raw('member');
    member.subscribe(['$share/g/a']);
    await simulated.settle();
    simulated.publish('a', 1, 1);
    simulated.publish('nowhere', 2, 2);
    await simulated.settle();
    plain.acknowledge();
    await simulated.settle();
    const seen = simulated.broker
      .takeSettledDeliveries()
      .map(({ session, group, state, cause, message }) => [
        message.id,
        session,
        group,
        state,
        cause,
      ]);
    expect(seen).toEqual([
      [2, undefined, undefined, 'dropped', 'noSubscription'],
      [1, 'plain', undefined, 'acknowledged', undefined],
    ]);
    const open = [...simulated.broker.openDeliveries()].map(({ session, group }) => [
      session,
      group,
    ]);
    expect(open).toEqual([['member', '$share/g/a']]);
    expect(simulated.broker.takeSettledDeliveries()).toEqual([]);
  });
});
