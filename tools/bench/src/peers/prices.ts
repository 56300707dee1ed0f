/**
 * Dollars per million request units of a table on demand (standard class) in US East (N. Virginia), valid since
 * 2024-11-01: https://aws.amazon.com/dynamodb/pricing/on-demand/
 */
export const prices = {
  region: 'us-east-1',
  since: '2024-11-01',
  writeUnits: 0.625,
  readUnits: 0.125,
} as const;

/** Dollars per million readings: units per reading are dollars per million units at these prices. */
export function dollarsPerMillion(unitsPerReading: {
  writeUnits: number;
  readUnits: number;
}): number {
  const { writeUnits, readUnits } = unitsPerReading;
  return writeUnits * prices.writeUnits + readUnits * prices.readUnits;
}
