import { deadLetterKey } from '@engawa/keys';
import type { Document } from './item-size.ts';

/** Why a message, or one reading in it, could not be stored. Bounded: it is a label of metrics. */
export const deadLetterReasons = [
  'malformed',
  'no_decoder',
  'bad_device',
  'bad_time',
  'bad_number',
  'bad_field',
  'too_deep',
  'too_large',
  'not_admitted',
  'refused_by_table',
] as const;
export type DeadLetterReason = (typeof deadLetterReasons)[number];

/** A message kept whole because it, or a part of it, could not become readings. */
export interface DeadLetter {
  /** A ULID made when it was received. */
  id: string;
  reason: DeadLetterReason;
  /** A sentence for the person who looks into it. */
  detail: string;
  topic: string;
  payload: Uint8Array;
  /** MQTT 5 user properties, where there were any. */
  properties: Record<string, string | string[]>;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** Which of the message's readings it is about, counted from 0; absent when the whole message is meant. */
  indexes?: number[];
}

/** Seconds that a dead letter is kept. */
const retention = 14 * 86_400;

/** Bytes of payload in one item, of the 400 KB that DynamoDB takes; topic and properties want room, too. */
const partBytes = 256 * 1024;

/** The letter as items: one, or, where its payload is too large for that, several that belong together. */
export function deadLetterItems(letter: DeadLetter, shard: number): Document[] {
  const { indexes, payload, ...rest } = letter;
  const day = new Date(letter.receivedAt).toISOString().slice(0, 10);
  const ttl = Math.ceil(letter.receivedAt / 1000) + retention;
  const parts = Math.max(1, Math.ceil(payload.length / partBytes));
  return Array.from({ length: parts }, (_, part) => ({
    ...deadLetterKey(day, shard, letter.id, part),
    ...(part === 0 && { ...rest, parts, ...(indexes !== undefined && { indexes }) }),
    payload: payload.subarray(part * partBytes, (part + 1) * partBytes),
    ttl,
  }));
}
