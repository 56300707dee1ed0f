import { KeyError } from '../key-error.ts';
import { ulid } from '../segments/ulid.ts';
import { partitionKey, sortKey } from './key.ts';
import type { Key } from './key.ts';

const pattern = /^\d{4}-\d\d-\d\d$/;

/** The dead letters of a day (`2026-11-21`, UTC), in one of its shards. */
export function deadLetterPartition(day: string, shard: number): string {
  if (!pattern.test(day) || Number.isNaN(Date.parse(day))) {
    throw new KeyError('day', 'is not a date such as 2026-11-21');
  }
  return partitionKey('day', ['DLQ', day, String(shard)]);
}

export function deadLetterKey(day: string, shard: number, letter: string): Key {
  return { pk: deadLetterPartition(day, shard), sk: sortKey('id', [ulid('id', letter)]) };
}
