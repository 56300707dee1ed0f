import { rate, series } from './series.ts';

/** From here on of what a partition takes, a key is hot (docs/hot-partitions.md). */
export const hotFrom = 0.7;

/** The alerts of the release that fire. */
export function firing(): string {
  return series('ALERTS', 'alertstate="firing"');
}

/** Seconds since each firing alert became active. */
export function firingForSeconds(): string {
  return `time() - ${series('ALERTS_FOR_STATE')} and ignoring (alertstate) ${firing()}`;
}

/**
 * The series with the highest peaks of all that is shown. `topk` alone selects at each step, so that over time far more series
 * appear, each with gaps.
 */
export function highest(count: number, expression: string): string {
  return `${expression}\nand topk(${count}, max_over_time((${expression})[$__range:] @ end()))`;
}

/** How much of what one partition takes all processes together use of each key; each counts only what it sent itself. */
export function sharesByKey(...matchers: string[]): string {
  return `sum by (index, unit, partition) (${series('engawa_hot_partition_utilization_ratio', ...matchers)})`;
}

/** How much of what is provisioned should be used, so that there is room for more. */
const usedOfProvisioned = 0.7;

const prices = { write: '$write_price', read: '$read_price' };
const capacityPrices = { write: '$write_capacity_price', read: '$read_capacity_price' };
const unitKinds = ['write', 'read'] as const;

/** What the units consumed cost on-demand, in USD an hour, at prices per million of them. */
export function dollarsAnHour(by = ''): string {
  const grouping = by === '' ? '' : ` by (${by})`;
  const parts = unitKinds.map(
    (unit) =>
      `${prices[unit]} * ${rate('engawa_table_consumed_units_total', `unit="${unit}"`)} * 3600 / 1e6`,
  );
  return `sum${grouping} (${parts.join(' or ')})`;
}

/** What the table and each index would be provisioned with for the highest minute of a time. */
export function provisionedUnits(time: string, ...matchers: string[]): string {
  const ofAMinute = `rate(${series('engawa_table_consumed_units_total', ...matchers)}[1m])`;
  return `max_over_time(sum by (index, unit) (${ofAMinute})[${time}:1m]) / ${usedOfProvisioned}`;
}

/** What that would cost in USD an hour, for the highest minute of all that is shown. */
export function provisionedDollarsAnHour(): string {
  const parts = unitKinds.map(
    (unit) => `${capacityPrices[unit]} * ${provisionedUnits('$__range', `unit="${unit}"`)}`,
  );
  return `sum(${parts.join(' or ')})`;
}
