import { gone, subscriber } from './support/clients.ts';
import { changed, Simulated } from './support/simulated.ts';
import { standard } from './support/standard.ts';
import type { BrokerProfile } from '../../src/broker/index.ts';

/** Delivers a message to a process, and once more to this or another one. @returns both numbers of deliveries */
async function redelivered(to: 'the same process' | 'another process', profile: BrokerProfile) {
  const simulated = new Simulated(profile);
  simulated.process = Symbol('one');
  await subscriber(simulated);
  simulated.publish('a', 1, 1);
  await simulated.settle();
  await gone(simulated, 'one');
  if (to === 'another process') simulated.process = Symbol('other');
  await simulated.lasting('one');
  const { attempts, copies } = simulated.broker.oldestUnacknowledged() ?? {};
  return { attempts, copies };
}

describe('a redelivery', () => {
  it('to the same process is no copy, since DUP and the packet identifier show what it repeats', async () => {
    expect(await redelivered('the same process', standard)).toEqual({ attempts: 2, copies: 1 });
  });

  it('to another process is a copy', async () => {
    expect(await redelivered('another process', standard)).toEqual({ attempts: 2, copies: 2 });
  });

  it('without DUP is a copy', async () => {
    const unmarked = changed(standard, { redelivery: { marksDup: false } });
    expect(await redelivered('the same process', unmarked)).toEqual({ attempts: 2, copies: 2 });
  });
});

it('all sessions without a connection end as if they expired', async () => {
  const simulated = new Simulated(standard);
  await subscriber(simulated, 'gone');
  await subscriber(simulated, 'connected');
  simulated.publish('a', 1, 1);
  await gone(simulated, 'gone');

  simulated.broker.expireSessions();

  expect(simulated.broker.hasSession('gone')).toBe(false);
  expect(simulated.broker.hasSession('connected')).toBe(true);
  expect(simulated.outcomes()).toEqual({ sessionEnded: 1 });
});
