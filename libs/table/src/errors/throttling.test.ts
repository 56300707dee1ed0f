import { throttledActions, throttlingsOf } from './throttling.ts';

const target = (index: string, unit: 'read' | 'write' = 'read') => ({ index, unit });

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
  const unit = reason.includes('Read') ? 'read' : 'write';
  const expected = [{ index: 'gsi1', unit, reason, scope }];
  for (const other of ['read', 'write'] as const) {
    const table = target('table', other);
    expect(throttlingsOf({ ThrottlingReasons: reasons }, table)).toEqual(expected);
    expect(throttlingsOf({ throttlingReasons: reasons }, table)).toEqual(expected);
  }
});

it('names the table where the table is throttled, with each reason once', () => {
  const reason = 'TableReadKeyRangeThroughputExceeded';
  const reasons = [
    { reason, resource: table },
    { reason, resource: table },
  ];
  expect(throttlingsOf({ ThrottlingReasons: reasons }, target('gsi2'))).toEqual([
    { index: 'table', unit: 'read', reason, scope: 'key_range' },
  ]);
});

it('keeps labels bounded for missing and unknown reasons', () => {
  const unknown = [{ index: 'gsi2', unit: 'write', reason: 'unknown', scope: 'other' }];
  const side = target('gsi2', 'write');
  expect(throttlingsOf({}, side)).toEqual(unknown);
  expect(throttlingsOf({ ThrottlingReasons: [{ reason: 'Moon' }] }, side)).toEqual(unknown);
});

describe('a cancelled transaction', () => {
  const cancelled = (...CancellationReasons: { Code?: string; Message?: string }[]) =>
    throttledActions({ name: 'TransactionCanceledException', CancellationReasons });

  it('lists the throttled actions and no others', () => {
    const codes = ['None', 'ThrottlingError', 'ConditionalCheckFailed', 'TransactionConflict'];
    const reasons = [...codes, 'ProvisionedThroughputExceeded'].map((Code) => ({ Code }));
    expect(cancelled(...reasons)).toEqual([
      { action: 1, code: 'ThrottlingError', inIndex: false },
      { action: 4, code: 'ProvisionedThroughputExceeded', inIndex: false },
    ]);
    expect(throttledActions({ name: 'ThrottlingException' })).toEqual([]);
  });

  it("recognizes an index in DynamoDB's message", () => {
    const inIndex = (Message: string) =>
      cancelled({ Code: 'ThrottlingError', Message })[0]?.inIndex;
    const exceeds = 'Throughput exceeds the current capacity';
    expect(inIndex(`${exceeds} for one or more global secondary indexes.`)).toBe(true);
    expect(inIndex(`${exceeds} of your table or index.`)).toBe(false);
  });
});
