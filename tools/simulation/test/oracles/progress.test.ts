import { checkNothingParked } from '../../src/oracles/parked-blocks.ts';
import { timeoutMs, untilAcknowledged } from '../../src/oracles/progress.ts';
import { mosquitto } from '../../src/broker/index.ts';
import { parkedBlockKey } from '@engawa/keys';
import type { Message } from '../../src/broker/index.ts';
import type { Scale } from '../../src/world/scale.ts';

const message = { topic: 'engawa/lamp/readings', takenAt: 100 } as Message;

/** A world whose clock advances only in `sleep`. */
function waiting(acknowledgedAt: number) {
  const world = { now: 100 };
  const sleep = (forMs: number) => {
    world.now += forMs;
    return Promise.resolve();
  };
  const unacknowledged = () => (world.now < acknowledgedAt ? [message] : []);
  return { unacknowledged, gateway: { sleep }, now: () => world.now };
}

describe('the check of progress', () => {
  it('passes when all messages are acknowledged in time', async () => {
    await expect(untilAcknowledged(waiting(1000), 1000)).resolves.toBeUndefined();
  });

  it('fails when a message waits longer than the limit', async () => {
    await expect(untilAcknowledged(waiting(2000), 1000)).rejects.toThrow(
      '1 messages are not acknowledged although no faults are injected; the oldest, of engawa/lamp/readings, has waited for 1.0 s',
    );
  });

  it('allows more time with fewer messages in flight', () => {
    const replicas = { ingestion: 1, registry: 1, query: 1, catalog: 1 };
    const scale: Scale = {
      ...{ beginsAt: 0, climateDays: 0 },
      ...{ profile: mosquitto, sharing: 'alone', replicas },
      mqtt: { version: '5', window: 2000 },
    };
    expect(timeoutMs(scale, 1000)).toBe(5000 + 40 * 30);
    const narrow = { ...scale, mqtt: { version: '5', window: 5 } } as const;
    expect(timeoutMs(narrow, 1000)).toBe(5000 + 200 * 30);
    const older = { ...scale, mqtt: { version: '3.1.1', window: 2000 } } as const;
    expect(timeoutMs(older, 1000)).toBe(5000 + 50 * 30);
  });
});

describe('readings that remain parked', () => {
  it('are a violation', () => {
    const { pk, sk } = parkedBlockKey({ device: 'lamp', newest: 0, hash: 'abc' });
    const table = { items: () => [{ pk: { S: pk }, sk: { S: sk } }].values() };

    expect(() => checkNothingParked(table as never)).toThrow('readings are still parked');
    expect(() => checkNothingParked({ items: () => [].values() } as never)).not.toThrow();
  });
});
