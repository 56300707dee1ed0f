import type { AdviceValues } from './advice-values.ts';
import type { IndexUnit, ThrottlingScope } from '../keys/partition.ts';

/** The advice against throttling, by its scope: an index has a capacity of its own. */
export function throttlingCode(
  scope: ThrottlingScope,
  { index }: IndexUnit,
): keyof typeof throttlingTexts {
  if (scope === 'table') return index === 'table' ? 'raise-table-capacity' : 'raise-index-capacity';
  return codes[scope];
}

const codes = {
  key_range: 'see-hottest-partitions',
  account: 'raise-account-quota',
  on_demand_maximum: 'raise-on-demand-maximum',
  other: 'see-hottest-partitions-first',
} as const;

/**
 * Measures against throttling. They name the index, if any: measures for the table do not help an index. `index` and
 * `unit` are always given.
 */
export const throttlingTexts = {
  'see-hottest-partitions': (values: AdviceValues) =>
    `A partition of ${nameOf(values)} gets more ${values.unit} requests than it can take, while others may be idle. The hottest partitions show which key is the cause, and what to do; more capacity does not help against a hot key. If none of them is near its limit, quiet keys share a partition, or the load grows faster than DynamoDB adds partitions: increase it more slowly.${alsoTable(values)}`,
  'raise-table-capacity': ({ unit }: AdviceValues) =>
    `The ${unit} capacity that the table is provisioned with is used up: raise it, use auto scaling, or change the table to on-demand.`,
  'raise-index-capacity': (values: AdviceValues) =>
    `The ${values.unit} capacity that ${nameOf(values)} is provisioned with is used up. An index has its own capacity: raise that of the index, use auto scaling, or change the table to on-demand.${alsoTable(values)}`,
  'raise-account-quota': (values: AdviceValues) =>
    `The account's quota for ${values.unit} units of ${nameOf(values)} is used up in the table's Region: ask AWS for a higher one (Service Quotas, Amazon DynamoDB, in that Region).${alsoTable(values)}`,
  'raise-on-demand-maximum': (values: AdviceValues) =>
    `${sentence(nameOf(values))} has reached the maximum of ${values.unit} units a second that is set for it: raise or remove ${settingOf(values)} in the OnDemandThroughput of ${nameOf(values)}.${alsoTable(values)}`,
  'see-hottest-partitions-first': (values: AdviceValues) =>
    `DynamoDB gives no reason for parts of a batch and for cancelled transactions. Look at the hottest partitions of ${nameOf(values)} by ${values.unit}s first; if none of them is near its limit, look at the ${values.unit} capacity of ${nameOf(values)}.`,
};

function settingOf({ unit }: AdviceValues): string {
  return unit === 'read' ? 'MaxReadRequestUnits' : 'MaxWriteRequestUnits';
}

export function nameOf({ index }: AdviceValues): string {
  return index === 'table' ? 'the table' : `the index ${index}`;
}

/** An index takes part in each write to the table, but not in its reads. */
function alsoTable({ index, unit }: AdviceValues): string {
  if (index === 'table' || unit === 'read') return '';
  return ' Meanwhile, writes to the table are throttled as well if their items are in this index.';
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
