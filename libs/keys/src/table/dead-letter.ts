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

/** The key of a dead letter. Where it is too large for one item, further parts follow it, numbered from 1. */
export function deadLetterKey(day: string, shard: number, deadLetter: string, part = 0): Key {
  const id = ulid('id', deadLetter);
  const segments = part === 0 ? [id] : [id, String(part).padStart(partDigits, '0')];
  return { pk: deadLetterPartition(day, shard), sk: sortKey('id', segments) };
}

/**
 * The key of the mark of a day whose dead letters are in more shards than the first. It has a
 * partition of its own, since it is written while the first shard is throttled.
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
