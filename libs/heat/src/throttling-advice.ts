import type { IndexUnit, ThrottlingScope } from './partition.ts';

/** Measures against throttling, by its scope. Names the index, if any: measures for the table do not help an index. */
export const throttlingAdvice: Record<ThrottlingScope, (indexUnit: IndexUnit) => string> = {
  key_range: (indexUnit) =>
    `One partition key of ${nameOf(indexUnit)} gets more ${indexUnit.unit} requests than one partition can take, while other partitions may be idle: the hottest partitions show which key, and what to do. More capacity does not help.${alsoTable(indexUnit)}`,
  table: (indexUnit) =>
    indexUnit.index === 'table'
      ? `The ${indexUnit.unit} capacity that the table is provisioned with is used up: raise it, use auto scaling, or change the table to on-demand.`
      : `The ${indexUnit.unit} capacity that ${nameOf(indexUnit)} is provisioned with is used up. An index has its own capacity: raise that of the index, use auto scaling, or change the table to on-demand.${alsoTable(indexUnit)}`,
  account: (indexUnit) =>
    `The account's quota for ${indexUnit.unit} units of ${nameOf(indexUnit)} is used up in the table's Region: ask AWS for a higher one (Service Quotas, Amazon DynamoDB, in that Region).${alsoTable(indexUnit)}`,
  on_demand_maximum: (indexUnit) =>
    `${sentence(nameOf(indexUnit))} has reached the maximum of ${indexUnit.unit} units a second that is set for it: raise or remove ${setting[indexUnit.unit]} in the OnDemandThroughput of ${nameOf(indexUnit)}.${alsoTable(indexUnit)}`,
  other: (indexUnit) =>
    `DynamoDB gives no reason for parts of a batch and for cancelled transactions. Look at the hottest partitions of ${nameOf(indexUnit)} by ${indexUnit.unit}s first; if none of them is near its limit, look at the ${indexUnit.unit} capacity of ${nameOf(indexUnit)}.`,
};

const setting = { read: 'MaxReadRequestUnits', write: 'MaxWriteRequestUnits' };

function nameOf({ index }: IndexUnit): string {
  return index === 'table' ? 'the table' : `the index ${index}`;
}

/** An index takes part in each write to the table, but not in its reads. */
function alsoTable({ index, unit }: IndexUnit): string {
  if (index === 'table' || unit === 'read') return '';
  return ' Meanwhile, writes to the table are throttled as well if their items are in this index.';
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
