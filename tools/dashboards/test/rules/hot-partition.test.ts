import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const alert = 'EngawaHotPartition';
const play = playerOf(alert, 'engawa-hot-partitions');
const key = { component: 'ingestion', index: 'gsi1', unit: 'write', partition: 'LIST#DEVICE#0' };
const warning = { ...key, severity: 'warning' };
const critical = { ...key, severity: 'critical' };
const throttles = of('engawa_hot_partition_throttles_per_second', { ...key, pod: 'a' });
const used = { [of('engawa_hot_partition_utilization_ratio', { ...key, pod: 'a' })]: '0.9x100' };

function throttledAttempts(labels: Record<string, string>): string {
  return of('engawa_table_throttled_attempts_total', {
    component: 'ingestion',
    pod: 'a',
    operation: 'BatchWriteItem',
    index: 'gsi1',
    ...labels,
  });
}

describeWith(['promtool'], alert, () => {
  it('fires within a minute of the first throttle, however scrapes and evaluations fall', () => {
    // Scraped a second after each evaluation: throttled from 1 s on, seen at 16 s.
    const wait = '_x14';
    play({
      sampledEvery: '1s',
      series: { ...used, [throttles]: `_ 0 ${wait} 4 ${wait} 4 ${wait} 4 ${wait} 4` },
      firing: {
        '30s': [],
        '45s': [warning],
      },
    });
  });

  it('names the key, the index and the unit, and sums replicas', () => {
    play({
      series: {
        ...used,
        [throttles]: '0 3x10',
        [of('engawa_hot_partition_throttles_per_second', { ...key, pod: 'b' })]: '0 1.5x10',
      },
      says: {
        at: '30s',
        labels: warning,
        summary: 'blue: DynamoDB throttles a partition key (write LIST#DEVICE#0 of gsi1)',
        description:
          'DynamoDB throttles 4.5 writes a second of ingestion to the partition key LIST#DEVICE#0 of gsi1. Engawa adds shards to most keys within half a minute. No data is lost.',
      },
    });
  });

  it('does not fire for throttles of a single scrape, nor for hot keys without throttles', () => {
    play({
      series: {
        ...used,
        [throttles]: '0 4 0x20',
      },
      firing: silentAt('15s', '30s', '45s', '1m'),
    });
  });

  it('ends when the throttling ends', () => {
    play({
      series: { ...used, [throttles]: '0 9 9 9 9 0x20' },
      firing: {
        '1m': [warning],
        '1m15s': [],
      },
    });
  });

  it('ends with a pod that was throttled at its last scrape', () => {
    play({
      series: { ...used, [throttles]: '0 9 9 9 stale' },
      firing: {
        '45s': [warning],
        '1m': [],
      },
    });
  });

  it('is critical after ten minutes, despite gaps of a backoff', () => {
    play({
      series: {
        ...used,
        [throttles]:
          '5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0',
      },
      firing: {
        '9m45s': [],
        '10m': [critical],
      },
    });
  });

  it('stays a warning for recurring episodes', () => {
    play({
      series: { ...used, [throttles]: '5x20 0x10 5x20 0x10' },
      firing: {
        '5m': [warning],
        '10m': [warning],
        '12m': [warning],
      },
    });
  });

  it.each([
    { scope: 'table', reason: 'IndexWriteProvisionedThroughputExceeded' },
    { scope: 'account', reason: 'IndexWriteAccountLimitExceeded' },
    { scope: 'on_demand_maximum', reason: 'IndexWriteMaxOnDemandThroughputExceeded' },
  ])('blames no key where all are throttled ($scope)', (throttled) => {
    play({
      // The series begins with the first throttle, as that of a counter with labels does.
      series: { ...used, [throttles]: '0 5x60', [throttledAttempts(throttled)]: '_ 7+70x60' },
      firing: silentAt('30s', '1m', '11m'),
    });
  });

  it('blames a key of one index while another index is at its provisioned limit', () => {
    const elsewhere = {
      index: 'table',
      scope: 'table',
      reason: 'TableReadProvisionedThroughputExceeded',
    };
    play({
      series: { ...used, [throttles]: '0 5x10', [throttledAttempts(elsewhere)]: '_ 7+70x10' },
      firing: { '30s': [warning] },
    });
  });

  it.each([
    ['a few throttles of the table', { index: 'gsi1', scope: 'table' }, '_ 1+1x60'],
    ['reads at their limit', { index: 'gsi1', scope: 'table', operation: 'Query' }, '_ 900+900x60'],
  ])('blames a key beside %s', (_, labels, wide) => {
    play({
      series: {
        ...used,
        [throttles]: '0 5x60',
        [throttledAttempts({ scope: 'key_range', reason: 'own' })]: '_ 70+70x60',
        [throttledAttempts({ reason: 'wide', ...labels })]: wide,
      },
      firing: { '2m': [warning] },
    });
  });

  it('blames no key that is far below its limit', () => {
    play({
      series: {
        [throttles]: '0 5x60',
        [of('engawa_hot_partition_utilization_ratio', { ...key, pod: 'a' })]: '0.03x100',
      },
      firing: silentAt('30s', '1m', '11m'),
    });
  });

  it('blames a key that several replicas use', () => {
    const usedBy = (pod: string) => of('engawa_hot_partition_utilization_ratio', { ...key, pod });
    play({
      series: { [throttles]: '0 5x60', [usedBy('a')]: '0.3x100', [usedBy('b')]: '0.3x100' },
      firing: { '30s': [warning] },
    });
  });

  it('is of its own release', () => {
    const other = { ...key, pod: 'a', release: 'green' };
    play({
      series: {
        ...used,
        [of('engawa_hot_partition_throttles_per_second', other)]: '5x20',
        [of('engawa_hot_partition_utilization_ratio', other)]: '0.9x20',
      },
      firing: { '5m': [] },
    });
  });
});
