import type { Side, ThrottlingScope } from './partition.ts';

/** What to do about throttling, by what was run into. Names the index where it is one: what helps the table does not help it. */
export const throttlingAdvice: Record<ThrottlingScope, (side: Side) => string> = {
  key_range: (side) =>
    `One partition key of ${nameOf(side)} is to take more ${side.unit} units a second than a partition can, while others may idle: the hottest partitions say which, and what to do. More capacity does not help.${alsoTable(side)}`,
  table: (side) =>
    side.index === 'table'
      ? `The ${side.unit} capacity that the table is provisioned with is used up: raise it, let auto scaling raise it, or change the table to on-demand.`
      : `The ${side.unit} capacity that ${nameOf(side)} is provisioned with is used up; it is the index's own, beside the table's: raise that of the index, let auto scaling raise it, or change the table to on-demand.${alsoTable(side)}`,
  account: (side) =>
    `The account's quota for ${side.unit} units of ${nameOf(side)} is used up in the table's Region: ask AWS for a higher one (Service Quotas, Amazon DynamoDB, in that Region).${alsoTable(side)}`,
  on_demand_maximum: (side) =>
    `${sentence(nameOf(side))} has reached the maximum of ${side.unit} units a second that is set for it: raise or remove ${setting[side.unit]} in the OnDemandThroughput of ${nameOf(side)}.${alsoTable(side)}`,
  other: (side) =>
    `DynamoDB gave no reason, as for parts of a batch and for cancelled transactions: look at the hottest partitions of ${nameOf(side)} first, by ${side.unit}s; if none of them is near its limit, at the ${side.unit} capacity of ${nameOf(side)}.`,
};

const setting = { read: 'MaxReadRequestUnits', write: 'MaxWriteRequestUnits' };

function nameOf({ index }: Side): string {
  return index === 'table' ? 'the table' : `the index ${index}`;
}

/** An index takes part in each write to the table, but has nothing to do with its reads. */
function alsoTable({ index, unit }: Side): string {
  if (index === 'table' || unit === 'read') return '';
  return ' Until then, writes to the table that belong into this index are turned away as well.';
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
