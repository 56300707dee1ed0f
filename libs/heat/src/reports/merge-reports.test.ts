import fc from 'fast-check';
import { mergeReports } from './merge-reports.ts';
import { throttlingScopes } from '../keys/partition.ts';
import { hottestFirst, mostFrequentFirst } from './hotness-order.ts';
import type { HeatReport, ReportedPartition, ReportedThrottling } from './report.ts';

const limits = { read: 3000, write: 1000 };
const index = fc.constantFrom('table', 'gsi1');
const unit = fc.constantFrom('read' as const, 'write' as const);
const rate = fc.double({ min: 0, max: 5000, noNaN: true });

/** Null as in a merged report where a process of an older version gave the text. */
const code = fc.constantFrom({ code: 'batch-readings', values: { shards: 2 } }, null);

const partition: fc.Arbitrary<ReportedPartition> = fc
  .record(
    {
      index,
      unit,
      partition: fc.constantFrom('DEVICE#a', 'DEVICE#b', 'LIST#DEVICE#0'),
      family: fc.constant('DEVICE'),
      shards: fc.integer({ min: 1, max: 64 }),
      unitsPerSecond: rate,
      uncertainty: rate,
      throttlesPerSecond: fc.dictionary(fc.constantFrom(...throttlingScopes), rate),
      hotSince: fc.nat(1_000_000_000).map((at) => new Date(at).toISOString()),
      advice: fc.uniqueArray(fc.constantFrom('pack', 'grow', 'ask less'), { maxLength: 3 }),
    },
    {
      requiredKeys: [
        'index',
        'unit',
        'partition',
        'unitsPerSecond',
        'uncertainty',
        'throttlesPerSecond',
        'advice',
      ],
    },
  )
  .chain((one) =>
    // Absent from a process of an older version.
    fc
      .option(fc.array(code, { minLength: one.advice.length, maxLength: one.advice.length }))
      .map((adviceCodes) => ({ ...one, ...(adviceCodes && { adviceCodes }) })),
  )
  .map((one) => ({ ...one, utilization: one.unitsPerSecond / limits[one.unit] }));

const throttling: fc.Arbitrary<ReportedThrottling> = fc
  .record({
    index,
    unit,
    scope: fc.constantFrom(...throttlingScopes),
    reason: fc.constantFrom('unknown', 'TableReadAccountLimitExceeded'),
    perSecond: rate,
    advice: fc.constantFrom('pay more', 'ask AWS'),
  })
  .chain((one) =>
    fc
      .constantFrom({ adviceCode: { code: 'raise-account-quota', values: {} } }, {})
      .map((more) => ({ ...one, ...more })),
  );

/** Reports as processes send them: in order, each key and reason once. */
const report: fc.Arbitrary<HeatReport> = fc.record({
  windowSeconds: fc.constant(10),
  limits: fc.constant(limits),
  keys: fc.constantFrom('shown' as const, 'hashed' as const),
  partitions: fc
    .uniqueArray(partition, { selector: (one) => [one.index, one.unit, one.partition].join() })
    .map((all) => all.sort(hottestFirst)),
  throttling: fc
    .uniqueArray(throttling, {
      selector: (one) => [one.index, one.unit, one.scope, one.reason].join(),
    })
    .map((all) => all.sort(mostFrequentFirst)),
});

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function part(unitsPerSecond: number, more: Partial<ReportedPartition> = {}): ReportedPartition {
  const key = { index: 'table', unit: 'write', partition: 'DEVICE#a' } as const;
  const utilization = unitsPerSecond / 1000;
  return {
    ...key,
    unitsPerSecond,
    uncertainty: 0,
    utilization,
    throttlesPerSecond: {},
    advice: [],
    ...more,
  };
}

function reportOf(partitions: ReportedPartition[], more: Partial<HeatReport> = {}): HeatReport {
  return { windowSeconds: 10, limits, keys: 'shown', partitions, throttling: [], ...more };
}

describe('mergeReports', () => {
  it('leaves a single report unchanged except for the limit', () => {
    fc.assert(
      fc.property(report, fc.nat(12), (one, limit) => {
        const expected = { ...one, partitions: one.partitions.slice(0, limit) };
        expect(plain(mergeReports([one], limit))).toEqual(plain(expected));
      }),
    );
  });

  it('is independent of the order', () => {
    const shuffled = fc
      .array(report, { maxLength: 6 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      );
    fc.assert(
      fc.property(shuffled, fc.nat(12), ([all, other], limit) => {
        expect(mergeReports(other, limit)).toEqual(mergeReports(all, limit));
      }),
    );
  });

  it('adds up the loads of several processes on the same key', () => {
    const merged = mergeReports(
      [
        reportOf([
          part(400, {
            uncertainty: 10,
            throttlesPerSecond: { key_range: 1 },
            advice: ['b', 'c'],
            family: 'DEVICE',
            shards: 2,
            hotSince: '2026-11-21T09:00:00.000Z',
          }),
        ]),
        reportOf([
          part(500, {
            uncertainty: 5,
            throttlesPerSecond: { key_range: 2, table: 1 },
            advice: ['a', 'b'],
            family: 'DEVICE',
            shards: 4,
            hotSince: '2026-11-21T08:00:00.000Z',
          }),
          part(450, { partition: 'DEVICE#b' }),
        ]),
        reportOf([part(600, { partition: 'DEVICE#b' }), part(800, { index: 'gsi1' })]),
      ],
      2,
    );
    expect(merged.partitions).toEqual([
      part(900, {
        uncertainty: 15,
        throttlesPerSecond: { key_range: 3, table: 1 },
        advice: ['a', 'b', 'c'],
        family: 'DEVICE',
        shards: 4,
        hotSince: '2026-11-21T08:00:00.000Z',
      }),
      part(1050, { partition: 'DEVICE#b' }),
    ]);
  });

  it('keeps the codes of advice beside their texts, with reports of an older version as well', () => {
    const [b, c] = [
      { code: 'b', values: {} },
      { code: 'c', values: {} },
    ] as const;
    const older = part(300, { advice: ['a', 'c'] });
    const newer = part(200, { advice: ['b', 'c'], adviceCodes: [b, c] });
    const { partitions } = mergeReports([reportOf([older]), reportOf([newer])], 1);
    expect(partitions).toMatchObject([{ advice: ['a', 'c', 'b'], adviceCodes: [null, c, b] }]);
    expect(mergeReports([reportOf([older])], 1).partitions[0]).not.toHaveProperty('adviceCodes');
  });

  it('merges the hottest hidden keys of each process, with a bound of the error', () => {
    const hidden = (...units: number[]) =>
      reportOf(
        units.map((each) => part(each, { partition: 'DEVICE', uncertainty: 1 })),
        { keys: 'hidden' },
      );
    const { partitions, keys } = mergeReports([hidden(500, 100), hidden(400, 80, 10)], 10);
    expect(keys).toBe('hidden');
    expect(
      partitions.map(({ unitsPerSecond, uncertainty }) => [unitsPerSecond, uncertainty]),
    ).toEqual([
      [900, 401],
      [180, 81],
      [10, 1],
    ]);
  });

  it('adds up reasons, the most frequent first', () => {
    const reason = (perSecond: number, more: Partial<ReportedThrottling> = {}) =>
      ({
        index: 'table',
        unit: 'read',
        scope: 'account',
        reason: 'A',
        perSecond,
        advice: 'pay',
        ...more,
      }) as const;
    const { throttling } = mergeReports(
      [
        reportOf([], { throttling: [reason(1), reason(4, { reason: 'B' })] }),
        reportOf([], { throttling: [reason(5), reason(2, { scope: 'other' })] }),
      ],
      10,
    );
    expect(throttling).toEqual([
      reason(6),
      reason(4, { reason: 'B' }),
      reason(2, { scope: 'other' }),
    ]);
  });

  it('is empty for empty reports', () => {
    expect(mergeReports([], 10)).toEqual(reportOf([]));
  });
});
