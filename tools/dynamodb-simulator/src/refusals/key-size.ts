import type { AttributeValue } from '../attribute.ts';

/** Bytes; developer guide, "Quotas": partition key length, sort key length; of tables and of indexes. */
const maxPartitionBytes = 2048;
const maxSortBytes = 1024;

const invalid = 'One or more parameter values were invalid:';

/** DynamoDB's message for a partition key that is too long; undefined for a valid key. */
export function oversizedPartition(value: AttributeValue | undefined): string | undefined {
  if (keyBytes(value) <= maxPartitionBytes) return undefined;
  // There is no space before the number in DynamoDB's own words.
  return `${invalid} Size of hashkey has exceeded the maximum size limit of${maxPartitionBytes} bytes`;
}

export function oversizedSort(value: AttributeValue | undefined): string | undefined {
  if (keyBytes(value) <= maxSortBytes) return undefined;
  return `${invalid} Aggregated size of all range keys has exceeded the size limit of ${maxSortBytes} bytes`;
}

/** Of text and bytes; no number is as long as that. */
function keyBytes(value: AttributeValue | undefined): number {
  const { S, B } = value ?? {};
  if (typeof S === 'string') return Buffer.byteLength(S);
  return typeof B === 'string' ? Buffer.byteLength(B, 'base64') : 0;
}
