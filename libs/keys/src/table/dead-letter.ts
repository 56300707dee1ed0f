import { KeyError } from '../key-error.ts';
import { ulid } from '../segments/ulid.ts';
import { partitionKey, sortKey } from './key.ts';
import type { Key } from './key.ts';

/** More parts than MQTT's largest packet of 256 MB needs. */
const partDigits = 4;
const pattern = /^\d{4}-\d\d-\d\d$/;

/** The dead letters of a day (`2026-11-21`, UTC), in one of its shards. */
export function deadLetterPartition(day: string, shard: number): string {
  return partitionKey('day', ['DLQ', checkedDay(day), String(shard)]);
}

/** The key of a dead letter. A dead letter that is too large for one item has further parts, numbered from 1. */
export function deadLetterKey(day: string, shard: number, deadLetter: string, part = 0): Key {
  const id = ulid('id', deadLetter);
  const segments = part === 0 ? [id] : [id, String(part).padStart(partDigits, '0')];
  return { pk: deadLetterPartition(day, shard), sk: sortKey('id', segments) };
}

/**
 * The key of the marker of a day with dead letters in more shards than the first. It has a separate partition, since it
 * is written while the first shard is throttled.
 */
export function deadLettersSpreadKey(day: string): Key {
  return { pk: partitionKey('day', ['DLQ', checkedDay(day)]), sk: spread };
}

const spread = 'SPREAD';

/**
 * The dead letters of equal deliveries of a day: the dead letter of a redelivered message is found here, since ids are
 * in the order of time. A partition per hash, so that none of them is hot.
 * @param hash of the delivery, base64url
 */
export function deadLetterDeliveryPartition(day: string, hash: string): string {
  return partitionKey('hash', ['DLQ', checkedDay(day), delivery, hash]);
}

export function deadLetterDeliveryKey(day: string, hash: string, deadLetter: string): Key {
  return {
    pk: deadLetterDeliveryPartition(day, hash),
    sk: sortKey('id', [ulid('id', deadLetter)]),
  };
}

const delivery = 'DELIVERY';

function checkedDay(day: string): string {
  if (!pattern.test(day) || Number.isNaN(Date.parse(day))) {
    throw new KeyError('day', 'is not a date such as 2026-11-21');
  }
  return day;
}
