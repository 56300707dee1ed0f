import { dups, gone, subscriber } from './support/clients.ts';
import { changed, Simulated } from './support/simulated.ts';
import { standard } from './support/standard.ts';
import type { BrokerProfile } from '../../src/broker/index.ts';

describe('messages in flight', () => {
  const inFlight = (changes: Partial<BrokerProfile['inFlight']>) =>
    new Simulated(changed(standard, { inFlight: { max: 10, ...changes } }));
  const limited = async (simulated: Simulated, receiveMaximum: number | undefined) => {
    const properties = receiveMaximum === undefined ? {} : { receiveMaximum };
    const client = await simulated.lasting('one', { properties });
    client.subscribe(['a']);
    await simulated.settle();
    simulated.publish('a', 1, 30);
    await simulated.settle();
    return client;
  };

  it.each([
    ['replaces', 20, 20],
    ['replaces', 5, 5],
    ['replaces', undefined, 10],
    ['caps', 20, 10],
    ['caps', 5, 5],
    ['ignored', 5, 10],
    ['strands', 5, 5],
  ] as const)(
    'are limited when the receive maximum %s: requested %s, %d in flight',
    async (receiveMaximum, asked, expected) => {
      const client = await limited(inFlight({ receiveMaximum }), asked);
      expect(client.payloads).toHaveLength(expected);
    },
  );

  it('are limited to one until the first acknowledgement of a connection (HiveMQ)', async () => {
    const simulated = inFlight({ maxAtFirst: 1 });
    const client = await limited(simulated, undefined);
    expect(client.payloads).toHaveLength(1);
    client.acknowledge();
    await simulated.settle();
    expect(client.payloads).toHaveLength(11);
  });

  it('beyond the receive maximum are not sent before a reconnect (mochi)', async () => {
    const simulated = inFlight({ max: 0, receiveMaximum: 'strands' });
    const client = await limited(simulated, 5);
    client.acknowledge();
    await simulated.settle();
    simulated.publish('a', 31, 31);
    await simulated.settle();
    expect(client.payloads).toEqual(['1', '2', '3', '4', '5', '31']);
    expect(simulated.broker.oldestUnacknowledged()).toMatchObject({ state: 'queued' });
    client.acknowledge(5);
    await gone(simulated, 'one');
    const back = await simulated.lasting('one', { properties: { receiveMaximum: 100 } });
    expect(back.payloads).toEqual(Array.from({ length: 25 }, (_, index) => `${index + 6}`));
  });

  it('increase with each acknowledgement of a backlog (Mosquitto)', async () => {
    const simulated = inFlight({ acknowledgementFrees: 'maximum' });
    const client = await limited(simulated, undefined);
    client.acknowledge(0, 1);
    await simulated.settle();
    expect(client.payloads).toHaveLength(20);
    client.acknowledge(4, 5);
    await simulated.settle();
    expect(client.payloads).toHaveLength(27);
  });
});

describe('redelivery', () => {
  const reconnected = async (profile: BrokerProfile, seed = 1) => {
    const simulated = new Simulated(profile, seed);
    await subscriber(simulated);
    simulated.publish('a', 1, 8);
    await simulated.advance(5000);
    simulated.publish('a', 9, 10);
    await simulated.settle();
    await gone(simulated, 'one');
    return simulated.lasting('one', { properties: { receiveMaximum: 10 } });
  };

  it('sets DUP, except in rumqttd', async () => {
    expect(dups(await reconnected(standard))).toEqual(Array<boolean>(10).fill(true));
    expect(dups(await reconnected(changed(standard, { redelivery: { marksDup: false } })))).toEqual(
      Array<boolean>(10).fill(false),
    );
  });

  it('keeps the order, or shuffles messages of one second by the seed (mochi)', async () => {
    const inOrder = Array.from({ length: 10 }, (_, index) => `${index + 1}`);
    expect((await reconnected(standard)).payloads).toEqual(inOrder);
    const mixed = changed(standard, { redelivery: { order: 'mixed' } });
    const orders = await Promise.all(
      [1, 1, 2].map(async (seed) => (await reconnected(mixed, seed)).payloads),
    );
    expect(orders[0]).not.toEqual(inOrder);
    expect(orders[0]?.slice(0, 8).toSorted()).toEqual(inOrder.slice(0, 8));
    expect(orders[0]).toEqual(orders[1]);
    expect(orders[0]).not.toEqual(orders[2]);
  });

  it('marks queued messages as sent before (mochi)', async () => {
    const redelivery = { countsQueuedAsSent: true, keepsToMaximum: false };
    const simulated = new Simulated(changed(standard, { redelivery }));
    await subscriber(simulated);
    await gone(simulated, 'one');
    simulated.publish('a', 1, 5);
    const back = await simulated.lasting('one', { properties: { receiveMaximum: 2 } });
    expect(dups(back)).toEqual(Array<boolean>(5).fill(true));
  });

  it('respects the new receive maximum, except in Mosquitto', async () => {
    for (const keepsToMaximum of [true, false]) {
      const simulated = new Simulated(changed(standard, { redelivery: { keepsToMaximum } }));
      await subscriber(simulated);
      simulated.publish('a', 1, 5);
      await simulated.settle();
      await gone(simulated, 'one');
      const back = await simulated.lasting('one', { properties: { receiveMaximum: 2 } });
      expect(back.payloads).toHaveLength(keepsToMaximum ? 2 : 5);
    }
  });
});
