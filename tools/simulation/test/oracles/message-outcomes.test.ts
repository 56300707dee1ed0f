import { topicPartitionOf } from '@engawa/mqtt';
import { mochi, mosquitto } from '../../src/broker/index.ts';
import { MessageOutcomes } from '../../src/oracles/message-outcomes.ts';
import { partitions } from '../../src/world/scale.ts';
import { Simulated } from '../broker/support/simulated.ts';
import { standard } from '../broker/support/standard.ts';
import type { BrokerProfile } from '../../src/broker/index.ts';
import type { Sharing } from '../../src/world/scale.ts';

const topic = 'engawa/lamp/readings';

class Watched {
  readonly simulated: Simulated;
  readonly outcomes: MessageOutcomes;

  constructor(profile: BrokerProfile, sharing: Sharing) {
    this.simulated = new Simulated(profile);
    const { broker, world } = this.simulated;
    const isServed = (clientId: string) => clientId !== 'ingestion-2';
    const now = () => world.now();
    this.outcomes = new MessageOutcomes({ broker, profile, sharing, isServed, now, epochMs: 1000 });
  }

  async subscribe(clientId: string, filter: string) {
    const client = await this.simulated.lasting(clientId);
    client.subscribe([filter]);
    await this.simulated.settle();
    return client;
  }

  publish() {
    const taken = this.simulated.broker.publish({ topic, payload: '1', qos: 1, retain: false });
    if (taken === undefined) throw new Error('the broker is down');
    const outcome = this.outcomes.published(taken);
    return () => {
      this.outcomes.note();
      return outcome();
    };
  }
}

describe('a message without a subscription', () => {
  it('must be stored with a single replica, also after a restart that keeps plain subscriptions', async () => {
    const watched = new Watched(mosquitto, 'alone');
    expect(watched.publish()().isLost).toBe(false);
    // Like the defect `group-forgotten`: a group, which this broker loses in a restart.
    await watched.subscribe('ingestion-0', '$share/engawa/#');
    watched.simulated.broker.restart({ how: 'clean' });

    expect(watched.publish()().isLost).toBe(false);
  });

  it('may be lost after the broker has lost the group, until a member had time to resubscribe', async () => {
    const watched = new Watched(mosquitto, 'group');
    await watched.subscribe('ingestion-0', '$share/engawa/#');
    watched.simulated.broker.restart({ how: 'clean' });
    await watched.simulated.lasting('ingestion-0');
    expect(watched.publish()().isLost).toBe(true);

    await watched.simulated.advance(5001);

    expect(watched.publish()().isLost).toBe(false);
  });

  it('must be stored once faults have stopped', async () => {
    const watched = new Watched(mosquitto, 'group');
    await watched.subscribe('ingestion-0', '$share/engawa/#');
    watched.simulated.broker.restart({ how: 'clean' });
    await watched.simulated.advance(1);
    watched.outcomes.expectSubscriptions();

    expect(watched.publish()().isLost).toBe(false);
  });
});

describe('a queued message', () => {
  it('counts as unacknowledged until its owner has acknowledged it', async () => {
    const watched = new Watched(standard, 'alone');
    const client = await watched.subscribe('ingestion-0', '#');
    watched.publish();
    await watched.simulated.settle();
    expect(watched.outcomes.unacknowledged).toMatchObject([{ topic }]);

    client.acknowledge();
    await watched.simulated.settle();

    expect(watched.outcomes.unacknowledged).toEqual([]);
  });

  it('may be lost when its replica is removed', async () => {
    const watched = new Watched(standard, 'group');
    await watched.subscribe('ingestion-2', '$share/engawa/#');
    const outcome = watched.publish();
    await watched.simulated.settle();

    expect(outcome()).toMatchObject({ isLost: true, copies: 1 });
    expect(watched.outcomes.unacknowledged).toEqual([]);
  });
});

describe('a message whose first delivery has DUP', () => {
  it.each([
    [1, false],
    [2, true],
  ])('may be lost if an equal one came before: of %i messages %s', async (messages, isLost) => {
    const watched = new Watched(mochi, 'alone');
    await watched.subscribe('ingestion-0', '#');
    watched.simulated.broker.cut('ingestion-0', 'reset');
    await watched.simulated.settle();
    const outcomes = Array.from({ length: messages }, () => watched.publish());
    await watched.simulated.lasting('ingestion-0');

    expect(outcomes.at(-1)?.().isLost).toBe(isLost);
  });
});

it.each([
  ['its owner', true],
  ['another partition', false],
])('a message that was dropped in the session of %s may be lost: %s', async (which, isLost) => {
  const watched = new Watched(standard, 'partitions');
  const owner = topicPartitionOf(topic, partitions);
  const ending = which === 'its owner' ? owner : (owner + 1) % partitions;
  for (let partition = 0; partition < partitions; partition++) {
    await watched.subscribe(`ingestion-p${partition}`, '#');
  }
  const outcome = watched.publish();

  await watched.simulated.raw(`ingestion-p${ending}`, { clean: true });

  expect(outcome().isLost).toBe(isLost);
});
