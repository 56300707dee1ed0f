import type { Side, ThrottlingScope } from './partition.ts';

/**
 * What to do about throttling, by its scope. Names the index where it is one: what helps the table
 * does not help the index.
 */
export const throttlingAdvice: Record<ThrottlingScope, (side: Side) => string> = {
  key_range: (side) =>
    `One partition key of ${nameOf(side)} gets more ${side.unit} requests than one partition can take, while other partitions may be idle: the hottest partitions show which key, and what to do. More capacity does not help.${alsoTable(side)}`,
  table: (side) =>
    side.index === 'table'
      ? `The ${side.unit} capacity that the table is provisioned with is used up: raise it, use auto scaling, or change the table to on-demand.`
      : `The ${side.unit} capacity that ${nameOf(side)} is provisioned with is used up. An index has its own capacity: raise that of the index, use auto scaling, or change the table to on-demand.${alsoTable(side)}`,
  account: (side) =>
    `The account's quota for ${side.unit} units of ${nameOf(side)} is used up in the table's Region: ask AWS for a higher one (Service Quotas, Amazon DynamoDB, in that Region).${alsoTable(side)}`,
  on_demand_maximum: (side) =>
    `${sentence(nameOf(side))} has reached the maximum of ${side.unit} units a second that is set for it: raise or remove ${setting[side.unit]} in the OnDemandThroughput of ${nameOf(side)}.${alsoTable(side)}`,
  other: (side) =>
    `DynamoDB gives no reason for parts of a batch and for cancelled transactions. Look at the hottest partitions of ${nameOf(side)} by ${side.unit}s first; if none of them is near its limit, look at the ${side.unit} capacity of ${nameOf(side)}.`,
};

const setting = { read: 'MaxReadRequestUnits', write: 'MaxWriteRequestUnits' };

function nameOf({ index }: Side): string {
  return index === 'table' ? 'the table' : `the index ${index}`;
}

/** An index takes part in each write to the table, but has nothing to do with its reads. */
function alsoTable({ index, unit }: Side): string {
  if (index === 'table' || unit === 'read') return '';
  return ' Meanwhile, writes to the table are throttled as well if their items are in this index.';
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
