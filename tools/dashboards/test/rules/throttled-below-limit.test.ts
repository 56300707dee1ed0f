import { describeWith } from '@engawa/testing';
import { playerOf, silentAt } from './play-alert.ts';
import { of } from './promtool.ts';

const where = { component: 'catalog', index: 'gsi2', unit: 'write' };
const warning = { ...where, severity: 'warning' };
const labels = { ...where, partition: 'A#song#plays#0' };
const key = { ...labels, pod: 'a' };
const throttles = of('engawa_hot_partition_throttles_per_second', key);
const utilization = of('engawa_hot_partition_utilization_ratio', key);
const attempts = of('engawa_table_throttled_attempts_total', {
  component: 'catalog',
  pod: 'a',
  operation: 'UpdateItem',
  index: 'gsi2',
  scope: 'key_range',
  reason: 'IndexWriteKeyRangeThroughputExceeded',
});

describeWith(['promtool'], 'EngawaThrottledBelowLimit', () => {
  const play = playerOf('EngawaThrottledBelowLimit', 'engawa-hot-partitions');

  it('fires for throttles without a key, and for keys far below their limit', () => {
    play({
      series: { [attempts]: '0+70x60' },
      firing: { '4m': [], '6m': [warning] },
    });
    play({
      series: { [attempts]: '0+70x60', [throttles]: '5x60', [utilization]: '0.03x60' },
      firing: { '6m': [warning] },
    });
  });

  it('does not fire where a hot key explains the throttles', () => {
    play({
      series: { [attempts]: '0+70x60', [throttles]: '5x60', [utilization]: '0.9x60' },
      firing: silentAt('6m', '10m'),
    });
  });
});

describeWith(['promtool'], 'EngawaPartitionNearLimit', () => {
  const play = playerOf('EngawaPartitionNearLimit', 'engawa-hot-partitions');

  it('fires after an hour near the limit, by all processes together', () => {
    const other = of('engawa_hot_partition_utilization_ratio', { ...key, pod: 'b' });
    play({
      series: { [utilization]: '0.5x300', [other]: '0.45x300' },
      firing: { '59m': [], '61m': [{ ...labels, severity: 'warning' }] },
    });
  });
});
