import { hivemq, mosquitto, rumqttd } from '../../src/broker/index.ts';
import { gone } from './support/clients.ts';
import { changed, Simulated } from './support/simulated.ts';
import { standard } from './support/standard.ts';
import type { RawClient } from './support/raw-client.ts';

const filter = '$share/g/a';

async function member(simulated: Simulated, clientId: string): Promise<RawClient> {
  const client = await simulated.lasting(clientId);
  client.subscribe([filter]);
  await simulated.settle();
  return client;
}

const grouped = (groups: Partial<typeof standard.groups>) =>
  new Simulated(changed(standard, { groups }));

describe('offline members of a group', () => {
  it('receive messages in turn, queued until they reconnect (Mosquitto, EMQX, mochi)', async () => {
    const simulated = grouped({ offlineMembers: 'takeTurns' });
    const one = await member(simulated, 'one');
    await member(simulated, 'two');
    await gone(simulated, 'two');
    simulated.publish('a', 1, 4);
    await simulated.settle();
    expect(one.payloads).toEqual(['1', '3']);
    expect((await simulated.lasting('two')).payloads).toEqual(['2', '4']);
  });

  it('receive messages only when no member is online (VerneMQ)', async () => {
    const simulated = grouped({ offlineMembers: 'lastResort' });
    const one = await member(simulated, 'one');
    await member(simulated, 'two');
    await gone(simulated, 'two');
    simulated.publish('a', 1, 2);
    await simulated.settle();
    expect(one.payloads).toEqual(['1', '2']);
    one.acknowledge();
    await gone(simulated, 'one');
    simulated.publish('a', 3, 4);
    const back = [await simulated.lasting('one'), await simulated.lasting('two')];
    expect(back.flatMap(({ payloads }) => payloads).toSorted()).toEqual(['3', '4']);
  });
});

describe('the messages of a member whose session ends', () => {
  it.each([
    ['lost', ['1', '3'], { sessionEnded: 2 }],
    ['redistributed', ['1', '3', '2', '4'], {}],
  ] as const)('are %s', async (endedMember, expected, outcomes) => {
    const simulated = grouped({ endedMember });
    const one = await member(simulated, 'one');
    await member(simulated, 'two');
    simulated.publish('a', 1, 4);
    await gone(simulated, 'two');
    await simulated.raw('two', { clean: true });
    expect(one.payloads).toEqual(expected);
    expect(simulated.outcomes()).toEqual(outcomes);
  });

  it('are lost when the last member leaves', async () => {
    const simulated = grouped({ endedMember: 'redistributed' });
    await member(simulated, 'one');
    await gone(simulated, 'one');
    simulated.publish('a', 1, 2);
    await simulated.raw('one', { clean: true });
    expect(simulated.outcomes()).toEqual({ sessionEnded: 2 });
  });
});

it('messages queued for a member are delivered after the member has left the group', async () => {
  const simulated = new Simulated(mosquitto);
  const client = await simulated.lasting('one', { properties: { receiveMaximum: 2 } });
  client.subscribe([filter]);
  await simulated.settle();
  simulated.publish('a', 1, 3);
  client.send({ cmd: 'unsubscribe', messageId: 2, unsubscriptions: [filter] });
  await simulated.settle();
  simulated.publish('a', 4, 4);
  client.acknowledge();
  await simulated.settle();
  expect(client.payloads).toEqual(['1', '2', '3']);
});

describe('a group with its own queue (HiveMQ)', () => {
  it('delivers the next batch to a member after it has acknowledged all messages', async () => {
    const simulated = new Simulated(hivemq);
    const one = await member(simulated, 'one');
    simulated.publish('a', 1, 120);
    await simulated.settle();
    expect(one.payloads).toHaveLength(1);
    one.acknowledge();
    await simulated.settle();
    expect(one.payloads).toHaveLength(51);
    one.acknowledge(1, 50);
    await simulated.settle();
    expect(one.payloads).toHaveLength(51);
    const two = await member(simulated, 'two');
    expect(two.payloads).toHaveLength(1);
    one.acknowledge(50);
    await simulated.settle();
    expect(one.payloads).toHaveLength(101);
  });

  it('delivers messages of a disconnected member to the others first', async () => {
    const simulated = new Simulated(hivemq);
    const one = await member(simulated, 'one');
    simulated.publish('a', 1, 3);
    await simulated.settle();
    expect(one.payloads).toEqual(['1']);
    await gone(simulated, 'one');
    const two = await member(simulated, 'two');
    two.acknowledge();
    await simulated.settle();
    expect(two.payloads).toEqual(['1', '2', '3']);
    expect(two.of('publish').map(({ dup }) => dup)).toEqual([false, false, false]);
  });

  it('keeps its queue over a restart, and drops new messages when it is full', async () => {
    const simulated = new Simulated(changed(hivemq, { queue: { max: 3 } }));
    await member(simulated, 'one');
    await gone(simulated, 'one');
    simulated.publish('a', 1, 4);
    expect(simulated.outcomes()).toEqual({ queueFull: 1 });
    simulated.broker.restart({ how: 'clean' });
    const back = await simulated.lasting('one');
    back.acknowledge();
    await simulated.settle();
    expect(back.payloads).toEqual(['1', '2', '3']);
  });

  it('drops expired messages to make room', async () => {
    const simulated = new Simulated(changed(hivemq, { queue: { max: 2 } }));
    await member(simulated, 'one');
    await gone(simulated, 'one');
    const properties = { messageExpiryInterval: 5 };
    for (const payload of ['old', 'older'])
      simulated.broker.publish({ topic: 'a', payload, qos: 1, retain: false, properties });
    await simulated.advance(5000);
    simulated.publish('a', 1, 1);
    expect(simulated.outcomes()).toEqual({ expired: 2 });
    expect(simulated.broker.oldestUnacknowledged()).toMatchObject({ message: { takenAt: 5000 } });
  });

  it('receives nothing for some time after SIGKILL although the session exists', async () => {
    const simulated = new Simulated(hivemq);
    await member(simulated, 'one');
    simulated.publish('a', 1, 2);
    await simulated.settle();
    simulated.broker.restart({ how: 'kill' });
    const back = await simulated.lasting('one');
    expect(back.of('connack')[0]?.sessionPresent).toBe(true);
    await simulated.advance(98_000);
    expect(back.payloads).toEqual([]);
    await simulated.advance(1000);
    expect(back.payloads).toEqual(['1']);
    back.acknowledge();
    await simulated.settle();
    expect(back.payloads).toEqual(['1', '2']);
  });
});

it('rumqttd delivers nothing to any client after a cut member reconnects, until a restart', async () => {
  const simulated = new Simulated(rumqttd);
  await member(simulated, 'one');
  const left = await member(simulated, 'two');
  left.send({ cmd: 'disconnect', reasonCode: 0 });
  await simulated.settle();
  await member(simulated, 'two');
  const other = await simulated.raw('other');
  const isServed = async () => {
    const before = other.packets.length;
    other.send({ cmd: 'pingreq' });
    await simulated.settle();
    return other.packets.length > before;
  };
  expect(await isServed()).toBe(true);
  await gone(simulated, 'one');
  await member(simulated, 'one');
  expect(await isServed()).toBe(false);
  expect(
    simulated.broker.publish({ topic: 'a', payload: 'x', qos: 1, retain: false }),
  ).toBeUndefined();
  simulated.broker.restart({ how: 'kill' });
  expect((await simulated.raw('other')).of('connack')).toHaveLength(1);
});
