import { Heat } from './heat.ts';
import type { Partition, ThrottlingScope } from '../keys/partition.ts';

const limits = { read: 3000, write: 1000 };
const writes = { index: 'table', unit: 'write' } as const;
const key = (
  partition: string,
  indexUnit: Pick<Partition, 'index' | 'unit'> = writes,
): Partition => ({
  ...indexUnit,
  partition,
});
const because = (scope: ThrottlingScope) => ({ scope, reason: `because of ${scope}` });

describe('Heat', () => {
  it('reports units per second and the share of the limit, by index and unit', () => {
    const heat = new Heat({ limits });
    const reads = { index: 'gsi1', unit: 'read' } as const;
    for (let now = 0; now < 4000; now += 100) {
      heat.used(key('a'), 60, now);
      heat.used(key('b'), 20, now);
      heat.used(key('a', reads), 60, now);
    }
    expect(heat.indexUnits()).toEqual([writes, reads]);
    expect(heat.top(writes, 10, 4000)).toEqual([
      expect.objectContaining({
        ...key('a'),
        unitsPerSecond: 600,
        uncertainty: 0,
        utilization: 0.6,
      }),
      expect.objectContaining({ ...key('b'), unitsPerSecond: 200, utilization: 0.2 }),
    ]);
    expect(heat.top(reads, 10, 4000)).toMatchObject([{ unitsPerSecond: 600, utilization: 0.2 }]);
    expect(heat.top(writes, 1, 4000)).toHaveLength(1);
    expect(heat.top({ index: 'gsi2', unit: 'read' }, 10, 4000)).toEqual([]);
  });

  it('drops records older than its window, and all records after a pause', () => {
    const heat = new Heat({ limits });
    heat.used(key('a'), 1000, 0);
    heat.throttled(key('a'), because('key_range'), 1, 0);
    expect(heat.top(writes, 10, 11_999)[0]).toMatchObject({ unitsPerSecond: 1000 / 11.999 });
    expect(heat.top(writes, 10, 12_000)).toEqual([]);
    expect(heat.throttling(12_000)).toEqual([]);
    heat.used(key('a'), 1000, 13_000);
    expect(heat.top(writes, 10, 1e9)).toEqual([]);
  });

  it('reports throttles of a key by scope, and the throttled units', () => {
    const heat = new Heat({ limits });
    heat.used(key('calm'), 100, 0);
    heat.used(key('a'), 1000, 0);
    for (let now = 0; now < 2000; now += 100)
      heat.throttled(key('a'), because('key_range'), 3, now);
    heat.throttled(key('a'), because('table'), 10, 1000);
    const [a, calm] = heat.top(writes, 10, 2000);
    expect(a).toMatchObject({
      partition: 'a',
      throttlesPerSecond: { key_range: 10, table: 0.5 },
      throttledUnitsPerSecond: 35,
      unitsPerSecond: 500,
    });
    expect(calm).toMatchObject({ partition: 'calm', throttlesPerSecond: {} });
  });

  it('never reports more throttles than recorded, for any number of throttled keys', () => {
    const heat = new Heat({ limits });
    for (let now = 0; now < 1000; now++) heat.throttled(key(`${now}`), because('other'), 2, now);
    const reported = heat.top(writes, 1000, 1000);
    expect(reported).toHaveLength(200);
    const rates = new Set(reported.map(({ throttlesPerSecond }) => throttlesPerSecond.other));
    const units = new Set(reported.map(({ throttledUnitsPerSecond }) => throttledUnitsPerSecond));
    expect([...rates, ...units]).toEqual([1, 2]);
  });

  it('counts reasons over all keys, and bounds their number', () => {
    const heat = new Heat({ limits });
    for (let now = 0; now < 2000; now += 100)
      heat.throttled(key(`${now}`), because('account'), 1, now);
    heat.throttled(key('x', { index: 'gsi1', unit: 'write' }), because('account'), 1, 1000);
    expect(heat.throttling(2000)).toEqual([
      { ...writes, ...because('account'), perSecond: 10 },
      { index: 'gsi1', unit: 'write', ...because('account'), perSecond: 0.5 },
    ]);
    for (let each = 0; each < 1000; each++) {
      heat.throttled(key('x'), { scope: 'other', reason: `${each}` }, 1, 2000);
    }
    const reasons = heat.throttling(2000);
    expect(reasons).toHaveLength(2 + 15 + 1);
    expect(reasons[0]).toMatchObject({ scope: 'other', reason: 'unknown', perSecond: 985 / 2 });
  });

  it('attributes a throttle to the hottest candidate, by share of the limit and throttled units', () => {
    const heat = new Heat({ limits });
    const candidates = [key('a'), key('b', { index: 'gsi1', unit: 'read' }), key('c')];
    expect(heat.hottest([], 1, 0)).toBeUndefined();
    expect(heat.hottest(candidates, 1, 0)).toEqual(candidates[0]);
    heat.used(key('a'), 100, 0);
    heat.used(key('b', { index: 'gsi1', unit: 'read' }), 200, 0);
    expect(heat.hottest(candidates, 1, 0)).toEqual(candidates[0]);
    heat.throttled(key('c'), because('key_range'), 101, 0);
    expect(heat.hottest(candidates, 1, 0)).toEqual(candidates[2]);
  });

  it('attributes throttles to the key that all throttled requests share, not to the keys of each', () => {
    const heat = new Heat({ limits });
    const shared = key('shared', { index: 'gsi1', unit: 'write' });
    const blamed = Array.from(
      { length: 20 },
      (_, each) => heat.hottest([key(`${each}`), shared], 1, each)?.partition,
    );
    expect(blamed.slice(1)).toEqual(Array.from({ length: 19 }, () => 'shared'));
  });

  it('counts a throttle of a key that the request does not name', () => {
    const heat = new Heat({ limits });
    heat.throttledElsewhere({ index: 'gsi2', unit: 'write' }, because('key_range'), 0);
    expect(heat.throttling(0)).toMatchObject([{ index: 'gsi2', scope: 'key_range', perSecond: 1 }]);
  });

  it('ranks keys throttled for their own load above all shares of the limit', () => {
    const heat = new Heat({ limits });
    heat.used(key('used'), 990, 0);
    for (const scope of ['key_range', 'other', 'table', 'account', 'on_demand_maximum'] as const) {
      heat.used(key(scope), 600, 0);
      heat.throttled(key(scope), because(scope), 1, 0);
    }
    heat.used(key('other'), 1, 0);
    expect(heat.top(writes, 3, 0).map(({ partition }) => partition)).toEqual([
      'other',
      'key_range',
      'used',
    ]);
  });

  it('ignores counts that are not numbers, and a ninth index unit', () => {
    const heat = new Heat({ limits });
    for (const units of [NaN, Infinity, -1, 0]) heat.used(key('a'), units, 0);
    heat.throttled(key('b'), because('key_range'), NaN, 0);
    expect(heat.top(writes, 10, 0)).toMatchObject([
      { partition: 'b', throttledUnitsPerSecond: 0, throttlesPerSecond: { key_range: 1 } },
    ]);
    for (let each = 0; each < 20; each++)
      heat.used(key('a', { index: `${each}`, unit: 'read' }), 1, 0);
    expect(heat.indexUnits()).toHaveLength(8);
  });
});
