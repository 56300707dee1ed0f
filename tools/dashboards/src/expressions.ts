import { rate, series } from './series.ts';

/** A key is hot from this share of a partition's limit on (docs/hot-partitions.md). */
export const hotFrom = 0.7;

/** The firing alerts of the release. */
export function firing(): string {
  return series('ALERTS', 'alertstate="firing"');
}

/** Seconds since each firing alert became active. */
export function firingForSeconds(): string {
  return `time() - ${series('ALERTS_FOR_STATE')} and ignoring (alertstate) ${firing()}`;
}

/**
 * The series with the highest peaks in the time range. `topk` alone selects at each step: more
 * series would appear, each with gaps.
 */
export function highest(count: number, expression: string): string {
  return `${expression}\nand topk(${count}, max_over_time((${expression})[$__range:] @ end()))`;
}

/**
 * Utilization of each key as a share of a partition's limit: each process counts its own requests,
 * so they are added up.
 */
export function sharesByKey(...matchers: string[]): string {
  return `sum by (index, unit, partition) (${series('engawa_hot_partition_utilization_ratio', ...matchers)})`;
}

/** Target utilization of provisioned capacity, with room for peaks. */
const usedOfProvisioned = 0.7;

const prices = { write: '$write_price', read: '$read_price' };
const capacityPrices = { write: '$write_capacity_price', read: '$read_capacity_price' };
const unitKinds = ['write', 'read'] as const;

/** On-demand cost of the consumed units in USD an hour, at prices per million units. */
export function dollarsAnHour(by = ''): string {
  const grouping = by === '' ? '' : ` by (${by})`;
  const parts = unitKinds.map(
    (unit) =>
      `${prices[unit]} * ${rate('engawa_table_consumed_units_total', `unit="${unit}"`)} * 3600 / 1e6`,
  );
  return `sum${grouping} (${parts.join(' or ')})`;
}

/** Units to provision for the table and each index, by the highest minute of a time range. */
export function provisionedUnits(time: string, ...matchers: string[]): string {
  const ofAMinute = `rate(${series('engawa_table_consumed_units_total', ...matchers)}[1m])`;
  return `max_over_time(sum by (index, unit) (${ofAMinute})[${time}:1m]) / ${usedOfProvisioned}`;
}

/** Cost of the provisioned units in USD an hour, by the highest minute of the shown time range. */
export function provisionedDollarsAnHour(): string {
  const parts = unitKinds.map(
    (unit) => `${capacityPrices[unit]} * ${provisionedUnits('$__range', `unit="${unit}"`)}`,
  );
  return `sum(${parts.join(' or ')})`;
}
