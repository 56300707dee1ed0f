import { KeyError } from '../key-error.ts';
import { ulid } from '../segments/ulid.ts';
import { partitionKey, sortKey } from './key.ts';
import type { Key } from './key.ts';

/** MQTT's largest packet, 256 MB, has fewer parts than these can count. */
const partDigits = 4;
const pattern = /^\d{4}-\d\d-\d\d$/;

/** The dead letters of a day (`2026-11-21`, UTC), in one of its shards. */
export function deadLetterPartition(day: string, shard: number): string {
  return partitionKey('day', ['DLQ', checkedDay(day), String(shard)]);
}

/** Of a letter too large for one item, the parts after the first stand right behind it, counted from 1. */
export function deadLetterKey(day: string, shard: number, letter: string, part = 0): Key {
  const id = ulid('id', letter);
  const segments = part === 0 ? [id] : [id, String(part).padStart(partDigits, '0')];
  return { pk: deadLetterPartition(day, shard), sk: sortKey('id', segments) };
}

/**
 * Marks a day whose letters are also in other shards than the first. In a partition of its own, since it is written when the
 * first shard is throttled.
 */
export function deadLettersSpreadKey(day: string): Key {
  return { pk: partitionKey('day', ['DLQ', checkedDay(day)]), sk: spread };
}

const spread = 'SPREAD';

function checkedDay(day: string): string {
  if (!pattern.test(day) || Number.isNaN(Date.parse(day))) {
    throw new KeyError('day', 'is not a date such as 2026-11-21');
  }
  return day;
}
