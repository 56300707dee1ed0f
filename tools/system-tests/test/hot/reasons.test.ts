import { adviceText, adviseOnThrottling } from '@engawa/heat';
import { openBeforeEach, until } from '@engawa/testing';
import { LimitedTable } from './limited-table.ts';
import type { ThrottlingScope, Unit } from '@engawa/heat';

const limited = openBeforeEach(() => LimitedTable.open());

/** A kind of limit: its names in the simulator and in DynamoDB, its target, and the subject of its advice. */
const kinds: [string, string, ThrottlingScope, RegExp][] = [
  ['provisioned', 'ProvisionedThroughputExceeded', 'table', /provisioned|capacity/i],
  ['onDemandMaximum', 'MaxOnDemandThroughputExceeded', 'on_demand_maximum', /maximum/i],
  ['account', 'AccountLimitExceeded', 'account', /quota/i],
  ['partition', 'KeyRangeThroughputExceeded', 'key_range', /key|partition/i],
];

const indexUnits: [string, string, Unit][] = [
  ['TableWrite', 'table', 'write'],
  ['IndexWrite', 'gsi1', 'write'],
  ['TableRead', 'table', 'read'],
  ['IndexRead', 'gsi1', 'read'],
];

const cases = kinds.flatMap(([limit, ending, scope, advice]) =>
  indexUnits.map(([use, index, unit]) => ({
    reason: use + ending,
    limit,
    scope,
    advice,
    index,
    unit,
  })),
);

/** A request that takes one unit of the key `hot`, and only unlimited units otherwise. */
async function take(index: string, unit: Unit, number: number): Promise<void> {
  const sk = String(number);
  if (unit === 'read') {
    const asked = index === 'gsi1' ? ({ index, pk: 'hot' } as const) : { pk: 'hot' };
    await limited.table.query(asked);
  } else if (index === 'gsi1') {
    await limited.table.put({ pk: `cold ${sk}`, sk, gsi1pk: 'hot', gsi1sk: sk });
  } else {
    await limited.table.put({ pk: 'hot', sk, gsi1pk: `cold ${sk}`, gsi1sk: sk });
  }
}

it.each(cases)('$reason is counted and logged with advice', async (one) => {
  const { reason, limit, scope, advice, index, unit } = one;
  const rates = { [unit]: 0.1 };
  limited.simulator.setLimits({
    burstSeconds: 5,
    // The two billing modes spell reasons differently.
    billing: unit === 'read' ? 'provisioned' : 'onDemand',
    ...(limit === 'partition' ? { partition: rates } : { [limit]: { [index]: rates } }),
  });
  await take(index, unit, 1);
  // On a busy machine every retry may be throttled before the limits end, which is not what is tested here.
  const second = take(index, unit, 2).catch((error: unknown) => {
    expect(error).toMatchObject({ code: 'table-throttled' });
  });
  await until('a throttled attempt', async () => (await limited.throttled({})) > 0);
  limited.simulator.setLimits({});
  await second;

  expect(await limited.throttled({ index, reason, scope })).toBe(await limited.throttled({}));
  const throttled = limited.heat
    .indexUnits()
    .flatMap((indexUnit) => limited.top(indexUnit))
    .filter(({ throttlesPerSecond }) => Object.keys(throttlesPerSecond).length > 0);
  expect(throttled).toMatchObject([{ index, unit, partition: 'hot' }]);
  expect(Object.keys(throttled[0]?.throttlesPerSecond ?? {})).toEqual([scope]);

  const throttling = limited.heat.throttling(performance.now());
  expect(throttling).toMatchObject([{ index, unit, reason, scope }]);
  const sentence = adviceText(adviseOnThrottling({ index, unit, reason, scope }));
  expect(sentence).toMatch(advice);
  expect(sentence.includes('gsi1')).toBe(index === 'gsi1');
});
