import { describeWith } from '@engawa/testing';
import { of, play } from './promtool.ts';

const alert = 'EngawaHotPartition';
const key = { component: 'ingestion', index: 'gsi1', unit: 'write', partition: 'LIST#DEVICE#0' };
const warning = { ...key, severity: 'warning' };
const critical = { ...key, severity: 'critical' };
const throttles = of('engawa_hot_partition_throttles_per_second', { ...key, pod: 'a' });

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
      series: { [throttles]: `_ 0 ${wait} 4 ${wait} 4 ${wait} 4 ${wait} 4` },
      firing: [
        { at: '30s', alert, with: [] },
        { at: '45s', alert, with: [warning] },
      ],
    });
  });

  it('names the key, the index and the unit, and adds up replicas', () => {
    play({
      series: {
        [throttles]: '0 3x10',
        [of('engawa_hot_partition_throttles_per_second', { ...key, pod: 'b' })]: '0 1.5x10',
      },
      annotated: [
        {
          at: '30s',
          alert,
          labels: warning,
          annotations: {
            summary: 'blue: the key LIST#DEVICE#0 of gsi1 is throttled (write)',
            description:
              '4.5 writes a second of ingestion to the partition key LIST#DEVICE#0 of gsi1 come back throttled. Most keys get more shards by themselves within half a minute; nothing is lost meanwhile.',
            dashboard: 'engawa-hot-partitions',
          },
        },
      ],
    });
  });

  it('says nothing of what a single scrape has seen, nor of keys that are hot and not throttled', () => {
    play({
      series: {
        [throttles]: '0 4 0x20',
        [of('engawa_hot_partition_utilization_ratio', { ...key, pod: 'a' })]: '0.99x20',
      },
      firing: ['15s', '30s', '45s', '1m'].map((at) => ({ at, alert, with: [] })),
    });
  });

  it('ends when relief does', () => {
    play({
      series: { [throttles]: '0 9 9 9 9 0x20' },
      firing: [
        { at: '1m', alert, with: [warning] },
        { at: '1m15s', alert, with: [] },
      ],
    });
  });

  it('ends with a pod that is gone, whose last word was a throttle', () => {
    play({
      series: { [throttles]: '0 9 9 9 stale' },
      firing: [
        { at: '45s', alert, with: [warning] },
        { at: '1m', alert, with: [] },
      ],
    });
  });

  it('wakes somebody after ten minutes, gaps of a backoff included', () => {
    play({
      series: {
        [throttles]:
          '5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0 0 5 5 0',
      },
      firing: [
        { at: '9m45s', alert, with: [] },
        { at: '10m', alert, with: [critical] },
      ],
    });
  });

  it('wakes nobody for an episode that comes and goes', () => {
    play({
      series: { [throttles]: '5x20 0x10 5x20 0x10' },
      firing: [
        { at: '5m', alert, with: [warning] },
        { at: '10m', alert, with: [warning] },
        { at: '12m', alert, with: [warning] },
      ],
    });
  });

  it.each([
    { scope: 'table', reason: 'IndexWriteProvisionedThroughputExceeded' },
    { scope: 'account', reason: 'IndexWriteAccountLimitExceeded' },
    { scope: 'on_demand_maximum', reason: 'IndexWriteMaxOnDemandThroughputExceeded' },
  ])('blames no key where all are throttled ($scope)', (throttled) => {
    play({
      // The series begins with the first throttle, as that of a counter with labels does.
      series: { [throttles]: '0 5x60', [throttledAttempts(throttled)]: '_ 7+70x60' },
      firing: ['30s', '1m', '11m'].map((at) => ({ at, alert, with: [] })),
    });
  });

  it('blames a key of one index while another index is at its provisioned limit', () => {
    const elsewhere = {
      index: 'table',
      scope: 'table',
      reason: 'TableReadProvisionedThroughputExceeded',
    };
    play({
      series: { [throttles]: '0 5x10', [throttledAttempts(elsewhere)]: '_ 7+70x10' },
      firing: [{ at: '30s', alert, with: [warning] }],
    });
  });

  it('is of its own release', () => {
    const other = { ...key, pod: 'a', release: 'green' };
    play({
      series: { [of('engawa_hot_partition_throttles_per_second', other)]: '5x20' },
      firing: [{ at: '5m', alert, with: [] }],
    });
  });
});
