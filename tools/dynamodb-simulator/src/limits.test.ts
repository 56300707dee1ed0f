import { Limiter, limitsSchema } from './limits.ts';
import type { LimitsInput } from './limits.ts';
import type { Charge } from './rules/charge.ts';

const charge = (key: string, units = 1): Charge => {
  return { table: 't', target: 'table', unit: 'write', key, units, arn: 'arn' };
};

/** Sends one unit at a time, at a rate, from a time on. @returns the units that are admitted in each second */
function admitted(limiter: Limiter, key: string, { rate, seconds, from = 0 }: Load): number[] {
  return Array.from({ length: seconds }, (_, second) => {
    const times = Array.from(
      { length: rate },
      (_, each) => from + second * 1000 + (each * 1000) / rate,
    );
    return times.filter((now) => limiter.admit([charge(key)], now) === undefined).length;
  });
}

interface Load {
  rate: number;
  seconds: number;
  from?: number;
}

const limiterOf = (limits: LimitsInput) => new Limiter(limitsSchema.parse(limits));

describe('keys of one partition', () => {
  const shared = {
    ...{ partition: { write: 10 }, burstSeconds: 1 },
    sharedPartitions: [{ keys: ['busy', 'quiet*'] }],
  };

  it('are throttled together, and other keys are not', () => {
    const limiter = limiterOf(shared);
    expect(admitted(limiter, 'busy', { rate: 50, seconds: 3 }).slice(1)).toEqual([10, 10]);
    const throttle = limiter.admit([charge('quiet 1')], 2999);
    expect(throttle).toMatchObject({ type: 'KeyRangeThroughputExceeded' });
    expect(limiter.admit([charge('elsewhere')], 2999)).toBeUndefined();
  });

  it('get partitions of their own some time after the first throttle', () => {
    const limiter = limiterOf({ ...shared, isolateAfterSeconds: 60 });
    admitted(limiter, 'busy', { rate: 50, seconds: 3 });
    expect(limiter.admit([charge('quiet 1')], 2999)).toBeDefined();
    admitted(limiter, 'busy', { rate: 50, seconds: 3, from: 61_000 });
    expect(limiter.admit([charge('quiet 1')], 63_999)).toBeUndefined();
    expect(limiter.admit([charge('busy')], 63_999)).toBeDefined();
  });
});

describe('an on-demand table', () => {
  const limits = { formerPeak: { table: { write: 10 } }, peakSeconds: 30 };

  it('serves twice its former peak, to all keys together', () => {
    const limiter = limiterOf(limits);
    const served = admitted(limiter, 'a', { rate: 50, seconds: 5 });
    expect(served.slice(1)).toEqual([20, 20, 20, 20]);
    const throttle = limiter.admit([charge('b')], 5000 - 1);
    expect(throttle).toMatchObject({ type: 'KeyRangeThroughputExceeded' });
  });

  it('serves twice as much after each period at its limit, and remembers the peak', () => {
    const limiter = limiterOf(limits);
    const served = admitted(limiter, 'a', { rate: 100, seconds: 90 });
    const [first = 0, second = 0, third = 0] = [10, 40, 70].map((at) => served[at]);
    expect(first).toBe(20);
    expect(second / first).toBeCloseTo(2, 0);
    expect(third / second).toBeCloseTo(2, 0);
    const later = admitted(limiter, 'a', { rate: 100, seconds: 2, from: 3_600_000 });
    expect(later[1]).toBeGreaterThan(75);
  });
});
