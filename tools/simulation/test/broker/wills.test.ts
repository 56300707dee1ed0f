import { changed, Simulated } from './support/simulated.ts';
import { standard } from './support/standard.ts';
import type { RawClient } from './support/raw-client.ts';

const will = { topic: 'will', payload: 'gone', qos: 1 as const };

async function listening(simulated: Simulated): Promise<RawClient> {
  const listener = await simulated.raw('listener');
  listener.subscribe(['will']);
  await simulated.settle();
  return listener;
}

describe.each([4, 5] as const)('a will of MQTT version %d', (version) => {
  it.each<[string, (simulated: Simulated, client: RawClient) => unknown]>([
    ['the connection breaks', (simulated) => simulated.broker.cut('one', 'reset')],
    ['the client closes without DISCONNECT', (_, client) => client.stream.end()],
    ['the client violates the protocol', (_, client) => client.connect()],
    ['the client is silent for too long', (simulated) => simulated.advance(15_001)],
    ['the session is taken over', (simulated) => simulated.raw('one', { version })],
    ['the broker is stopped', (simulated) => simulated.broker.restart({ how: 'clean' })],
  ])('is published when %s', async (what, end) => {
    const simulated = new Simulated();
    const listener = await listening(simulated);
    const client = await simulated.raw('one', { version, will, keepalive: 10 });
    await end(simulated, client);
    await simulated.settle();
    if (what === 'the broker is stopped') {
      const taken = simulated.broker.takeSettledDeliveries().map(({ message }) => message.topic);
      expect(taken).toEqual(['will']);
    } else expect(listener.payloads).toEqual(['gone']);
  });

  it('is not published after DISCONNECT', async () => {
    const simulated = new Simulated();
    const listener = await listening(simulated);
    const client = await simulated.raw('one', { version, will });
    client.send({ cmd: 'disconnect', reasonCode: 0 });
    await simulated.advance(60_000);
    expect(listener.payloads).toEqual([]);
    expect(client.isClosed).toBe(true);
  });

  it('may be retained', async () => {
    const simulated = new Simulated();
    await simulated.raw('one', { version, will: { ...will, retain: true } });
    simulated.broker.cut('one', 'reset');
    await simulated.settle();
    const listener = await listening(simulated);
    expect(listener.of('publish')).toMatchObject([{ retain: true, topic: 'will' }]);
  });
});

describe('a will of MQTT 5', () => {
  const delayed = { ...will, properties: { willDelayInterval: 10, contentType: 'text' } };

  it('is published after DISCONNECT with reason code 0x04', async () => {
    const simulated = new Simulated();
    const listener = await listening(simulated);
    const client = await simulated.raw('one', { will });
    client.send({ cmd: 'disconnect', reasonCode: 0x04 });
    await simulated.settle();
    expect(listener.payloads).toEqual(['gone']);
  });

  it('is delivered to another group member when the session ends with the takeover', async () => {
    const simulated = new Simulated(changed(standard, { groups: { endedMember: 'lost' } }));
    const [one, other] = [
      await simulated.lasting('one', { will }),
      await simulated.lasting('other'),
    ];
    for (const client of [one, other]) client.subscribe(['$share/g/will']);
    await simulated.settle();
    await simulated.lasting('one', { clean: true });
    expect(other.payloads).toEqual(['gone']);
  });

  it('waits for its delay, and is not published when the client reconnects', async () => {
    const simulated = new Simulated();
    const listener = await listening(simulated);
    await simulated.lasting('one', { will: delayed });
    simulated.broker.cut('one', 'reset');
    await simulated.advance(9000);
    await simulated.lasting('one', { will: delayed });
    await simulated.advance(9000);
    expect(listener.payloads).toEqual([]);
    simulated.broker.cut('one', 'reset');
    await simulated.advance(9999);
    expect(listener.payloads).toEqual([]);
    await simulated.advance(2);
    expect(listener.of('publish')).toMatchObject([{ properties: { contentType: 'text' } }]);
  });

  it('is published at the end of the session when that is before the delay', async () => {
    const simulated = new Simulated();
    const listener = await listening(simulated);
    await simulated.lasting('one', { will: delayed, properties: { sessionExpiryInterval: 3 } });
    simulated.broker.cut('one', 'reset');
    await simulated.advance(3001);
    expect(listener.payloads).toEqual(['gone']);
    await simulated.lasting('one', { will: delayed });
    simulated.broker.cut('one', 'reset');
    await simulated.raw('one');
    expect(listener.payloads).toEqual(['gone', 'gone']);
  });
});
