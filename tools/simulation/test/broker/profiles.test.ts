import { gone, subscriber } from './support/clients.ts';
import { changed, Simulated } from './support/simulated.ts';
import { standard } from './support/standard.ts';

it.each([
  ['newest', ['1', '2', '3']],
  ['oldest', ['3', '4', '5']],
] as const)('a full queue drops the %s message', async (drops, expected) => {
  const simulated = new Simulated(changed(standard, { queue: { max: 3, drops } }));
  await subscriber(simulated);
  await gone(simulated, 'one');
  simulated.publish('a', 1, 5);
  expect(simulated.outcomes()).toEqual({ queueFull: 2 });
  expect((await simulated.lasting('one')).payloads).toEqual(expected);
});

it('expired messages make room in a full queue, and do not count as unacknowledged', async () => {
  const simulated = new Simulated(changed(standard, { queue: { max: 2 } }));
  await subscriber(simulated);
  await gone(simulated, 'one');
  for (const messageExpiryInterval of [5, 60]) {
    const properties = { messageExpiryInterval };
    simulated.broker.publish({ topic: 'a', payload: 'old', qos: 1, retain: false, properties });
  }
  await simulated.advance(5000);
  simulated.publish('a', 1, 1);
  expect(simulated.outcomes()).toEqual({ expired: 1 });
  expect([...simulated.broker.openDeliveries()]).toHaveLength(2);
  await simulated.advance(55_000);
  expect(simulated.broker.oldestUnacknowledged()).toMatchObject({ message: { takenAt: 5000 } });
  expect((await simulated.lasting('one')).payloads).toEqual(['1']);
});

it.each([
  ['refused', 5, 0x87, {}],
  ['refused', 4, 0x80, {}],
  ['granted', 5, 1, { denied: 1 }],
  ['granted', 4, 1, { denied: 1 }],
] as const)(
  'a denied subscription is %s with MQTT version %d',
  async (deniedSubscription, version, code, dropped) => {
    const simulated = new Simulated({ ...standard, deniedSubscription });
    simulated.broker.setDenied((filter) => filter === 'secret/#');
    const client = await simulated.raw('one', { version });
    client.subscribe(['secret/#', 'a']);
    await simulated.settle();
    expect(client.of('suback')[0]?.granted).toEqual([code, 1]);
    simulated.publish('secret/a', 1, 1);
    await simulated.settle();
    expect(client.payloads).toEqual([]);
    expect(simulated.outcomes()).toEqual(
      deniedSubscription === 'refused' ? { noSubscription: 1 } : dropped,
    );
    simulated.broker.setDenied(() => false);
    simulated.publish('secret/a', 2, 2);
    await simulated.settle();
    expect(client.payloads).toEqual(deniedSubscription === 'granted' ? ['2'] : []);
  },
);

it.each([true, false])(
  'retained messages are replayed at every SUBSCRIBE, and to groups: %s',
  async (isOn) => {
    const retained = { ignoresRetainHandling: isOn, replayedToGroups: isOn };
    const simulated = new Simulated({ ...standard, retained });
    simulated.broker.publish({ topic: 'a', payload: 'r', qos: 1, retain: true });
    const [plain, member] = [await simulated.raw('plain'), await simulated.raw('member')];
    for (let time = 0; time < 2; time++) plain.subscribe(['a'], { rh: 1 });
    member.subscribe(['$share/g/a']);
    await simulated.settle();
    expect(plain.payloads).toEqual(isOn ? ['r', 'r'] : ['r']);
    expect(member.payloads).toEqual(isOn ? ['r'] : []);
  },
);

it.each([
  ['merged', 5, [[2, [1, 2]]]],
  ['merged', 4, [[2, undefined]]],
  [
    'each',
    5,
    [
      [0, 1],
      [2, 2],
    ],
  ],
  [
    'eachInMqtt5',
    5,
    [
      [0, 1],
      [2, 2],
    ],
  ],
  ['eachInMqtt5', 4, [[0, undefined]]],
] as const)(
  'overlapping subscriptions, %s, with MQTT version %d',
  async (overlappingSubscriptions, version, expected) => {
    const simulated = new Simulated({ ...standard, overlappingSubscriptions });
    const client = await simulated.raw('one', { version });
    const subscribe = (topic: string, qos: 0 | 2, subscriptionIdentifier: number) =>
      client.send({
        cmd: 'subscribe',
        messageId: 1,
        subscriptions: [{ topic, qos }],
        ...(version === 5 && { properties: { subscriptionIdentifier } }),
      });
    subscribe('a/b', 0, 1);
    subscribe('a/#', 2, 2);
    await simulated.settle();
    simulated.publish('a/b', 1, 1, 2);
    await simulated.settle();
    const seen = client
      .of('publish')
      .map(({ qos, properties }) => [qos, properties?.subscriptionIdentifier]);
    expect(seen).toEqual(expected);
  },
);

it.each([
  ['replaced', [true]],
  ['kept', [false]],
] as const)(
  'options of a repeated subscription are %s',
  async (optionsAtResubscribing, expected) => {
    const simulated = new Simulated({ ...standard, optionsAtResubscribing });
    const client = await simulated.raw('one');
    for (const rap of [false, true])
      client.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'a', qos: 1, rap }] });
    await simulated.settle();
    simulated.broker.publish({ topic: 'a', payload: 'r', qos: 1, retain: true });
    await simulated.settle();
    expect(client.of('publish').map(({ retain }) => retain)).toEqual(expected);
  },
);

it.each([
  ['published', 'kept', ['gone']],
  ['published', 'ended', ['gone']],
  ['discarded', 'kept', []],
  ['discarded', 'ended', ['gone']],
] as const)(
  'a will at a takeover is %s when the session is %s: %j',
  async (willOnTakeover, session, expected) => {
    const simulated = new Simulated({ ...standard, willOnTakeover });
    const listener = await simulated.raw('listener');
    listener.subscribe(['will']);
    await simulated.lasting('one', { will: { topic: 'will', payload: 'gone', qos: 1 } });
    await simulated.lasting('one', { clean: session === 'ended' });
    expect(listener.payloads).toEqual(expected);
  },
);
