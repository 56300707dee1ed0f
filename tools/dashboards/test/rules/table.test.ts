import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

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
  const play = playerOf('EngawaTableThrottled', 'engawa-hot-partitions');
  const severity = 'warning';

  it.each([provisioned, maximum])('fires when $scope has throttled for three minutes', (labels) => {
    play({
      series: { [throttled(labels)]: '_ 6+60x40', [throttled(labels, 'b')]: '_ 6+60x40' },
      firing: {
        '3m15s': [],
        '3m30s': [{ ...labels, severity }],
      },
    });
  });

  it('names the limit and the table or index', () => {
    play({
      series: { [throttled(maximum)]: '_ 6+60x40' },
      says: {
        at: '4m',
        labels: { ...maximum, severity },
        summary: 'blue: the table throttles at a configured limit',
        description:
          '4 attempts a second fail with IndexWriteMaxOnDemandThroughputExceeded (gsi1). Raise the provisioned units of gsi1, or its on-demand maximum; an index has its own limits.',
      },
    });
  });

  it.each([
    ['a burst that scaling ends', { [throttled(provisioned)]: '_ 6+60x4 246x40' }],
    ['a hot key', { [throttled(hotKey)]: '_ 6+60x40' }],
    ['the account', { [throttled(account)]: '_ 6+60x40' }],
    ['old throttles', { [throttled(provisioned)]: '9000x40' }],
    ['a restart, which counts from 0 again', { [throttled(provisioned)]: '9000x10 0x30' }],
  ])('does not fire for %s', (_, series) => {
    play({ series, firing: silentAt('3m', '5m', '8m') });
  });
});

describeWith(['promtool'], 'EngawaAccountLimit', () => {
  const play = playerOf('EngawaAccountLimit', 'engawa-hot-partitions');

  it('fires after a minute, and names the quota to raise', () => {
    const labels = { ...account, severity: 'warning' };
    play({
      series: { [throttled(account)]: '_ 6+60x20 1206x20' },
      firing: {
        '1m15s': [],
        '1m30s': [labels],
        '8m': [],
      },
      says: {
        at: '4m',
        labels,
        summary: 'blue: the AWS account is at its quota for DynamoDB in this Region',
        description:
          '4 attempts a second fail with TableWriteAccountLimitExceeded (table). Only AWS can raise the quota; the table and each index have the same one.',
      },
    });
  });

  it('does not fire for limits of the table itself', () => {
    play({
      series: { [throttled(provisioned)]: '_ 6+60x40', [throttled(maximum)]: '_ 6+60x40' },
      firing: { '5m': [] },
    });
  });
});
