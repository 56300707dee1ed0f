import type { TableItem } from './items-request.ts';

export function sortedByName<Value>(map: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A scalar with its type of DynamoDB's JSON, over several lines. */
const scalar = /\{\s+("(?:S|N|B|BOOL|NULL)": (?:"(?:[^"\\]|\\.)*"|true|false))\s+\}/g;

/** Attributes by name, as DynamoDB's JSON with a line for each scalar. */
export function rawText(attributes: TableItem['attributes']): string {
  return JSON.stringify(sortedByName(attributes), undefined, 2).replace(scalar, '{ $1 }');
}
