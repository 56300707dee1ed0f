import { describeWith } from '@engawa/testing';
import { of, play } from './promtool.ts';

const where = { component: 'ingestion', pod: 'a', operation: 'BatchWriteItem', index: 'table' };
const provisioned = {
  index: 'table',
  scope: 'table',
  reason: 'TableWriteProvisionedThroughputExceeded',
};
const maximum = {
  index: 'gsi1',
  scope: 'on_demand_maximum',
  reason: 'IndexWriteMaxOnDemandThroughputExceeded',
};
const account = { index: 'table', scope: 'account', reason: 'TableWriteAccountLimitExceeded' };
const hotKey = {
  index: 'table',
  scope: 'key_range',
  reason: 'TableWriteKeyRangeThroughputExceeded',
};

function throttled(labels: Record<string, string>, pod = 'a'): string {
  return of('engawa_table_throttled_attempts_total', { ...where, pod, ...labels });
}

describeWith(['promtool'], 'EngawaTableThrottled', () => {
  const alert = 'EngawaTableThrottled';
  const severity = 'warning';

  it.each([provisioned, maximum])('fires when $scope has throttled for three minutes', (labels) => {
    play({
      series: { [throttled(labels)]: '_ 6+60x40', [throttled(labels, 'b')]: '_ 6+60x40' },
      firing: [
        { at: '3m15s', alert, with: [] },
        { at: '3m30s', alert, with: [{ ...labels, severity }] },
      ],
    });
  });

  it('says which limit, and of what', () => {
    play({
      series: { [throttled(maximum)]: '_ 6+60x40' },
      annotated: [
        {
          at: '4m',
          alert,
          labels: { ...maximum, severity },
          annotations: {
            summary: 'blue: the table throttles, since a limit that is set for it is reached',
            description:
              '4 attempts a second come back with IndexWriteMaxOnDemandThroughputExceeded (gsi1). Raise what gsi1 is provisioned with, or its on-demand maximum; an index has its own.',
            dashboard: 'engawa-hot-partitions',
          },
        },
      ],
    });
  });

  it.each([
    ['a burst that scaling ends', { [throttled(provisioned)]: '_ 6+60x4 246x40' }],
    ['a hot key', { [throttled(hotKey)]: '_ 6+60x40' }],
    ['the account', { [throttled(account)]: '_ 6+60x40' }],
    ['throttles of long ago', { [throttled(provisioned)]: '9000x40' }],
    ['a restart, which counts from 0 again', { [throttled(provisioned)]: '9000x10 0x30' }],
  ])('does not fire for %s', (_, series) => {
    play({ series, firing: ['3m', '5m', '8m'].map((at) => ({ at, alert, with: [] })) });
  });
});

describeWith(['promtool'], 'EngawaAccountLimit', () => {
  const alert = 'EngawaAccountLimit';

  it('fires after a minute, and says what to ask for', () => {
    const labels = { ...account, severity: 'warning' };
    play({
      series: { [throttled(account)]: '_ 6+60x20 1206x20' },
      firing: [
        { at: '1m15s', alert, with: [] },
        { at: '1m30s', alert, with: [labels] },
        { at: '8m', alert, with: [] },
      ],
      annotated: [
        {
          at: '4m',
          alert,
          labels,
          annotations: {
            summary: 'blue: the AWS account is at its quota for DynamoDB in this Region',
            description:
              '4 attempts a second come back with TableWriteAccountLimitExceeded (table). Only AWS can raise the quota; it holds for a table and each of its indexes.',
            dashboard: 'engawa-hot-partitions',
          },
        },
      ],
    });
  });

  it('does not fire for what the table itself is limited by', () => {
    play({
      series: { [throttled(provisioned)]: '_ 6+60x40', [throttled(maximum)]: '_ 6+60x40' },
      firing: [{ at: '5m', alert, with: [] }],
    });
  });
});
