import { emqx, hivemq, mochi, mosquitto, rumqttd, vernemq } from '../../src/broker/index.ts';
import { dups, gone, subscriber } from './support/clients.ts';
import { changed, Simulated } from './support/simulated.ts';
import { standard } from './support/standard.ts';

const all = [emqx, hivemq, mochi, mosquitto, rumqttd, vernemq];

describe('durability', () => {
  it.each(all.map((profile) => [profile.name, profile] as const))(
    'of %s survives a graceful restart',
    async (_name, profile) => {
      const simulated = new Simulated(profile);
      await subscriber(simulated);
      await subscriber(simulated, 'member', '$share/g/a');
      simulated.broker.publish({ topic: 'a', payload: 'r', qos: 1, retain: true });
      await simulated.settle();
      simulated.broker.restart({ how: 'clean' });
      await simulated.settle();
      simulated.publish('a', 1, 1);
      const [plain, member] = [await simulated.lasting('one'), await simulated.lasting('member')];
      const isKept = profile.durability.onRestart === 'kept';
      expect(plain.of('connack')[0]?.sessionPresent).toBe(isKept);
      expect(member.of('connack')[0]?.sessionPresent).toBe(isKept);
      plain.acknowledge();
      member.acknowledge();
      await simulated.settle();
      expect(plain.payloads.toSorted()).toEqual(isKept ? ['1', 'r'] : []);
      const groupsKept = profile.durability.groups === 'kept';
      expect(member.payloads.toSorted()).toEqual(isKept ? (groupsKept ? ['1', 'r'] : ['r']) : []);
      const fresh = await subscriber(simulated, 'fresh');
      expect(fresh.payloads).toEqual(profile.durability.retained === 'kept' ? ['r'] : []);
      const { restart = 0 } = simulated.outcomes();
      expect(restart).toBe(isKept ? 0 : 2);
    },
  );

  it('restores the last snapshot after SIGKILL, and redelivers messages that were acknowledged after it', async () => {
    const onKill = { savedEveryMs: 10_000 };
    const simulated = new Simulated(changed(standard, { durability: { onKill } }));
    const client = await subscriber(simulated);
    simulated.publish('a', 1, 2);
    await simulated.advance(10_000);
    client.acknowledge(0, 1);
    simulated.publish('a', 3, 3);
    await simulated.settle();
    simulated.broker.restart({ how: 'kill' });
    const back = await simulated.lasting('one');
    expect(back.payloads).toEqual(['1', '2']);
    expect(simulated.outcomes()).toEqual({ acknowledged: 1, kill: 1 });
    back.acknowledge();
    await simulated.settle();
    expect(simulated.outcomes()).toEqual({ acknowledged: 1 });
    expect(simulated.broker.oldestUnacknowledged()).toBeUndefined();
  });

  it('restores the state at the time of the snapshot', async () => {
    const onKill = { savedEveryMs: 10_000 };
    const simulated = new Simulated(changed(standard, { durability: { onKill } }));
    await subscriber(simulated);
    await gone(simulated, 'one');
    simulated.publish('a', 1, 1);
    await simulated.advance(10_000);
    await simulated.lasting('one');
    simulated.broker.restart({ how: 'kill' });
    expect(dups(await simulated.lasting('one'))).toEqual([false]);
  });

  it('writes no snapshot after the process has ended', async () => {
    const onKill = { savedEveryMs: 10_000 };
    const simulated = new Simulated(changed(standard, { durability: { onKill } }));
    await subscriber(simulated);
    await simulated.advance(5000);
    simulated.broker.restart({ how: 'kill' });
    await simulated.advance(6000);
    simulated.broker.restart({ how: 'kill' });
    expect(simulated.broker.hasSession('one')).toBe(false);
  });

  it('loses messages after the last snapshot at SIGKILL', async () => {
    const simulated = new Simulated(
      changed(standard, { durability: { onKill: { lostLastMs: 100 } } }),
    );
    await subscriber(simulated);
    await gone(simulated, 'one');
    simulated.publish('a', 1, 1);
    await simulated.advance(101);
    simulated.publish('a', 2, 2);
    simulated.broker.restart({ how: 'kill' });
    const back = await simulated.lasting('one');
    expect(back.payloads).toEqual(['1']);
    expect(simulated.outcomes()).toEqual({ kill: 1 });
  });

  it('can report a session as present whose group subscriptions are lost', async () => {
    const simulated = new Simulated(changed(standard, { durability: { groups: 'forgotten' } }));
    await subscriber(simulated, 'one', '$share/g/a');
    simulated.broker.restart({ how: 'clean' });
    simulated.publish('a', 1, 1);
    const back = await simulated.lasting('one');
    expect(back.of('connack')[0]?.sessionPresent).toBe(true);
    expect(back.payloads).toEqual([]);
    expect(simulated.outcomes()).toEqual({ noSubscription: 1 });
  });

  it.each(['always', 'withoutAcl'] as const)(
    'applies the access control list to restored sessions: %s',
    async (restoredMayRead) => {
      const simulated = new Simulated(changed(standard, { durability: { restoredMayRead } }));
      await subscriber(simulated);
      simulated.broker.setDenied(() => false);
      simulated.broker.restart({ how: 'clean' });
      simulated.publish('a', 1, 1);
      const back = await simulated.lasting('one');
      simulated.publish('a', 2, 2);
      await simulated.settle();
      expect(back.payloads).toEqual(restoredMayRead === 'always' ? ['1', '2'] : ['2']);
      expect(simulated.outcomes()).toEqual(restoredMayRead === 'always' ? {} : { denied: 1 });
    },
  );
});
