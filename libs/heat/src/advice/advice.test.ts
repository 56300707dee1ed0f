import { adviseOnPartition, adviseOnThrottling } from './advice.ts';
import { adviceText } from './advice-texts.ts';
import type { PartitionHeat, IndexUnit, ThrottlingScope } from '../keys/partition.ts';

const endings: readonly (readonly [string, ThrottlingScope, RegExp])[] = [
  ['KeyRangeThroughputExceeded', 'key_range', /^A partition of .* more capacity does not help/],
  [
    'ProvisionedThroughputExceeded',
    'table',
    /capacity .* provisioned .* raise .*auto scaling.*on-demand/,
  ],
  ['AccountLimitExceeded', 'account', /quota .* Region: ask AWS for a higher one \(Service Quotas/],
  ['MaxOnDemandThroughputExceeded', 'on_demand_maximum', /maximum .* OnDemandThroughput/],
];

const reasons = (['Table', 'Index'] as const).flatMap((where) =>
  (['Read', 'Write'] as const).flatMap((access) =>
    endings.map(([ending, scope, says]) => ({ reason: where + access + ending, scope, says })),
  ),
);

function indexUnitOf(reason: string): IndexUnit {
  const unit = reason.includes('Read') ? 'read' : 'write';
  return { index: reason.startsWith('Index') ? 'gsi1' : 'table', unit };
}

describe('adviseOnThrottling', () => {
  it.each(reasons)('contains the measures for $reason', ({ reason, scope, says }) => {
    const { index, unit } = indexUnitOf(reason);
    const advice = adviceText(adviseOnThrottling({ index, unit, reason, scope }));
    expect(advice).toMatch(says);
    expect(advice).toMatch(unit === 'read' ? /\bread\b|MaxRead/ : /\bwrite\b|MaxWrite/);
    expect(advice).not.toMatch(unit === 'read' ? /write|MaxWrite/i : /\bread\b|MaxRead/);
    expect(advice.includes('the index gsi1')).toBe(index === 'gsi1');
    expect(advice.includes('writes to the table are throttled as well')).toBe(
      reason.startsWith('IndexWrite'),
    );
  });

  it('has a separate sentence for each of the sixteen reasons', () => {
    const all = reasons.map(({ reason, scope }) =>
      adviceText(adviseOnThrottling({ ...indexUnitOf(reason), reason, scope })),
    );
    expect(new Set(all).size).toBe(16);
  });

  it('names the places to check where there was no reason', () => {
    const cause = { scope: 'other', reason: 'unprocessed' } as const;
    const advice = adviseOnThrottling({ index: 'gsi2', unit: 'write', ...cause });
    expect(adviceText(advice)).toMatch(/no reason.*hottest partitions of the index gsi2/);
  });
});

interface AdviceInput extends Partial<PartitionHeat> {
  shards?: number;
  grows?: boolean;
}

function advise({ shards, grows = true, ...heat }: AdviceInput): string[] {
  const advice = adviseOnPartition({
    heat: {
      index: 'table',
      unit: 'write',
      partition: 'DEVICE#secret',
      unitsPerSecond: 900,
      uncertainty: 0,
      utilization: 0.9,
      throttlesPerSecond: { key_range: 1 },
      throttledUnitsPerSecond: 1,
      hotSince: 1,
      ...heat,
    },
    shards,
    grows,
  });
  return advice.map(adviceText);
}

describe('adviseOnPartition', () => {
  it('is empty for a key that is not hot', () => {
    const calm = { utilization: 0.6, hotSince: undefined };
    expect(advise({ ...calm, throttlesPerSecond: {} })).toEqual([]);
    expect(advise({ ...calm, throttlesPerSecond: { table: 5, account: 5 } })).toEqual([]);
    expect(advise({ ...calm, throttlesPerSecond: { key_range: 1 } })).not.toEqual([]);
    expect(advise({ utilization: 0.7, hotSince: undefined, throttlesPerSecond: {} })).not.toEqual(
      [],
    );
  });

  it('advises the device’s source to batch readings, then describes automatic growth', () => {
    const [pack, grow, ...rest] = advise({ shards: 4 });
    expect(pack).toMatch(/more readings in one message.*LINGER_MS/);
    expect(grow).toMatch(/automatically \(4 now, up to 64\)/);
    expect(rest).toEqual([]);
    expect(advise({ shards: 4, grows: false })[1]).toMatch(/^Set SHARD_GROWTH=on.*4 now, up to 64/);
    expect(advise({ shards: undefined })[1]).toMatch(/automatically \(up to 64\)/);
    expect(advise({ shards: 64 })[1]).toMatch(/64 shards, which is the maximum: .*several devices/);
    expect(advise({ shards: 64, grows: false })[1]).toMatch(/64 shards, which is the maximum/);
  });

  it.each([
    ['gsi1', 'LIST#DEVICE#0', /create and rename its items more slowly/, true],
    ['gsi1', 'LIST#E#artist#0', /create and rename its items more slowly/, true],
    ['gsi2', 'SEEN#DEVICE#0', /at most once an hour/, true],
    ['gsi2', 'A#song#by-year#0', /less often/, true],
    ['gsi2', 'CHANGED#TEXT#0', /texts of an entity in one request/, true],
    ['gsi2', 'EXPIRES#E#0', /when an entity expires less often/, true],
    ['gsi1', 'E#artist#secret', /relations that lead to.*no shards.*relate fewer/, false],
    ['gsi1', 'DEVICE#secret', /placement history.*no shards/, false],
    ['gsi2', 'OURS#secret', /no shards/, false],
    ['gsi1', '$', /no shards/, false],
  ])(
    'names the index %s of %s instead of the table, and its effect on writes',
    (index, partition, says, sharded) => {
      const [which, what, growth, ...rest] = advise({
        index,
        partition,
        shards: sharded ? 2 : undefined,
      });
      expect(which).toContain(`belongs to the index ${index}, not to the table`);
      expect(which).toContain('writes to the table are throttled as well');
      expect(what).toMatch(says);
      if (sharded) expect(growth).toMatch(/automatically \(2 now, up to 64\)/);
      else expect(growth).toBeUndefined();
      expect(rest).toEqual([]);
    },
  );

  it.each([
    ['E#artist#secret', /An entity has no shards/],
    ['UNIQUE#user#email#secret', /one value of a unique attribute, and has no shards/],
    ['PLACE#secret', /A place has no shards/],
    ['ROOM#secret#secret', /A room has no shards/],
    ['DLQ#2026-11-21#3', /dead letters/],
    ['PARKED#3', /follow the advice for the keys of these devices/],
    ['TYPE', /Entity types are meant to change rarely/],
    ['SHARDS', /get more shards at the same time/],
    ['TASKS#CATALOG', /no shards/],
  ])('explains that %s has no shards, and names alternatives', (partition, says) => {
    expect(advise({ partition })).toEqual([expect.stringMatching(says)]);
  });

  it('advises the clients of a key with many reads to send fewer, since no shards are added for reads', () => {
    const device = advise({ unit: 'read', shards: 1 });
    expect(device[0]).toMatch(/latest\?limit=.*larger pages/);
    expect(device[1]).toMatch(/replicas of a service do not help/);
    const list = advise({ unit: 'read', index: 'gsi1', partition: 'LIST#DEVICE#0', shards: 1 });
    expect(list[0]).toMatch(/index gsi1, not to the table: .*reads of the table are not/);
    expect(list.join(' ')).not.toMatch(/SHARD_GROWTH|automatically/);
  });

  it('adds the other throttling reasons, and marks an attributed throttle as likely', () => {
    expect(advise({ throttlesPerSecond: { key_range: 1, table: 1, account: 1 } })).toEqual([
      expect.stringMatching('LINGER_MS'),
      expect.stringMatching('SHARD_GROWTH'),
      expect.stringMatching('provisioned'),
      expect.stringMatching('Service Quotas'),
    ]);
    const blamed = { utilization: 0.2, throttlesPerSecond: { other: 1 } };
    expect(advise(blamed)[0]).toMatch(/gave no reason .* likely cause/);
  });

  it('never names a key', () => {
    for (const unit of ['read', 'write'] as const) {
      for (const index of ['table', 'gsi1', 'gsi2']) {
        for (const partition of [
          'DEVICE#secret',
          'E#artist#secret',
          'ROOM#secret#secret',
          'secret',
        ]) {
          expect(advise({ unit, index, partition }).join()).not.toContain('secret');
        }
      }
    }
  });
});
