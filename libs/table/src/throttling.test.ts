import { throttlingsOf } from './throttling.ts';

const table = 'arn:aws:dynamodb:eu-west-1:123456789012:table/engawa';

it.each([
  ['TableReadProvisionedThroughputExceeded', 'table'],
  ['TableReadAccountLimitExceeded', 'account'],
  ['TableReadKeyRangeThroughputExceeded', 'key_range'],
  ['TableReadMaxOnDemandThroughputExceeded', 'on_demand_maximum'],
  ['TableWriteProvisionedThroughputExceeded', 'table'],
  ['TableWriteAccountLimitExceeded', 'account'],
  ['TableWriteKeyRangeThroughputExceeded', 'key_range'],
  ['TableWriteMaxOnDemandThroughputExceeded', 'on_demand_maximum'],
  ['IndexReadProvisionedThroughputExceeded', 'table'],
  ['IndexReadAccountLimitExceeded', 'account'],
  ['IndexReadKeyRangeThroughputExceeded', 'key_range'],
  ['IndexReadMaxOnDemandThroughputExceeded', 'on_demand_maximum'],
  ['IndexWriteProvisionedThroughputExceeded', 'table'],
  ['IndexWriteAccountLimitExceeded', 'account'],
  ['IndexWriteKeyRangeThroughputExceeded', 'key_range'],
  ['IndexWriteMaxOnDemandThroughputExceeded', 'on_demand_maximum'],
])('%s concerns %s', (reason, scope) => {
  const reasons = [{ reason, resource: `${table}/index/gsi1` }];
  const expected = [{ index: 'gsi1', reason, scope }];
  expect(throttlingsOf({ ThrottlingReasons: reasons }, 'table')).toEqual(expected);
  expect(throttlingsOf({ throttlingReasons: reasons }, 'table')).toEqual(expected);
});

it('names the table when that is what was throttled, and each reason once', () => {
  const reason = 'TableReadKeyRangeThroughputExceeded';
  const reasons = [
    { reason, resource: table },
    { reason, resource: table },
  ];
  expect(throttlingsOf({ ThrottlingReasons: reasons }, 'gsi2')).toEqual([
    { index: 'table', reason, scope: 'key_range' },
  ]);
});

it('keeps labels bounded where it is told nothing, or nothing known', () => {
  const unknown = [{ index: 'gsi2', reason: 'unknown', scope: 'other' }];
  expect(throttlingsOf({}, 'gsi2')).toEqual(unknown);
  expect(throttlingsOf({ ThrottlingReasons: [{ reason: 'Moon' }] }, 'gsi2')).toEqual(unknown);
});
