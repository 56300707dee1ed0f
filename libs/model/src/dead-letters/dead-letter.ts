import { deadLetterDeliveryKey, deadLetterKey, deadLettersSpreadKey } from '@engawa/keys';
import { parseReason } from './dead-letter-reason.ts';
import { parseDetailCode } from './detail-code.ts';
import { parseParts, partDocuments } from './partly-stored.ts';
import type { DeadLetterReason } from './dead-letter-reason.ts';
import type { DetailCode } from './detail-code.ts';
import type { Document, DocumentValue } from '../values/item-size.ts';
import type { PartsOfReadings } from './partly-stored.ts';

/** MQTT 5 user properties in their order; a name may occur more than once. */
export type UserProperties = readonly (readonly [name: string, value: string])[];

/** A message that could not be stored as readings, in whole or in part: the whole message with the reason. */
export interface DeadLetter extends PartsOfReadings {
  /** A ULID of the time of receipt, a unique part, and a hash of the delivery (see deadLetterId). */
  id: string;
  reason: DeadLetterReason;
  /** A sentence for operators. */
  detail: string;
  /** Absent from a dead letter of an older version. */
  detailCode?: DetailCode | undefined;
  topic: string;
  payload: Uint8Array;
  properties: UserProperties;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** Positions of the rejected readings in the message, from 0; absent where the whole message was rejected. */
  indexes?: number[] | undefined;
  /**
   * MQTT's client identifier and packet identifier of the delivery: a message with DUP that has
   * both equal is the same.
   */
  session?: string | undefined;
  messageId?: number | undefined;
}

/** A dead letter without its payload: the content of its first item. */
export interface DeadLetterHead extends Omit<DeadLetter, 'payload'> {
  /** Length of the payload. */
  bytes: number;
  /** Items that hold the payload. */
  parts: number;
  /** Whether the parts after the first are in other shards than the head. */
  hasSpreadParts: boolean;
}

const millisecondsOfDay = 86_400_000;
/** Retention of a dead letter. */
const retentionSeconds = 14 * 86_400;

/** Bytes of payload per item; the rest of the maximum of 400 KB is for topic and properties. */
export const deadLetterPartBytes = 256 * 1024;

/**
 * The items of a dead letter: one, or several for a large payload.
 * @param partShard the shard of the parts after the first; by default the head's
 */
export function deadLetterItems(
  letter: DeadLetter,
  shard: number,
  partShard?: (part: number) => number,
): [Document, ...Document[]] {
  const { indexes, payload, session, messageId, detailCode, partlyStored, leftOut, ...rest } =
    letter;
  const day = new Date(letter.receivedAt).toISOString().slice(0, 10);
  const parts = Math.max(1, Math.ceil(payload.length / deadLetterPartBytes));
  const item = (part: number): Document => ({
    ...deadLetterKey(day, (part > 0 ? partShard?.(part) : undefined) ?? shard, letter.id, part),
    payload: payload.subarray(part * deadLetterPartBytes, (part + 1) * deadLetterPartBytes),
    ttl: Math.ceil(letter.receivedAt / 1000) + retentionSeconds,
  });
  const head = {
    ...rest,
    // Pairs, because a map cannot have the name __proto__.
    properties: rest.properties.map(([name, value]) => [name, value]),
    bytes: payload.length,
    parts,
    ...(partShard && { hasSpreadParts: true }),
    ...(indexes && { indexes }),
    ...partDocuments({ partlyStored, leftOut }),
    ...(detailCode && { detailCode: { ...detailCode } }),
    ...(session !== undefined && { session }),
    ...(messageId !== undefined && { messageId }),
  };
  const others = Array.from({ length: parts - 1 }, (_, index) => item(index + 1));
  return [{ ...item(0), ...head }, ...others];
}

/**
 * The marker of a day with dead letters in more shards than the first.
 * @param receivedAt epoch milliseconds of that day
 */
export function deadLettersSpreadItem(receivedAt: number): Document {
  const day = new Date(receivedAt).toISOString().slice(0, 10);
  const endOfDay = Date.parse(day) + millisecondsOfDay;
  return { ...deadLettersSpreadKey(day), ttl: endOfDay / 1000 + retentionSeconds };
}

/** Retention of the record of a delivery: a redelivery is looked for on two days. */
const deliveryRetentionSeconds = 3 * 86_400;

/**
 * The record of the delivery of a dead letter.
 * @param hash of the delivery, base64url
 */
export function deadLetterDeliveryItem(
  { id, receivedAt }: Pick<DeadLetter, 'id' | 'receivedAt'>,
  hash: string,
): Document {
  const day = new Date(receivedAt).toISOString().slice(0, 10);
  const ttl = Math.ceil(receivedAt / 1000) + deliveryRetentionSeconds;
  return { ...deadLetterDeliveryKey(day, hash, id), ttl };
}

/** The dead letter of these items, in any order. @throws TypeError when they are not one whole dead letter */
export function parseDeadLetter(items: readonly Document[]): DeadLetter {
  const sorted = items.toSorted((a, b) => (textOf(a, 'sk') < textOf(b, 'sk') ? -1 : 1));
  const head = parseDeadLetterHead(sorted[0] ?? {});
  const payload = Buffer.concat(sorted.map(bytesOf));
  if (sorted.length !== head.parts || payload.length !== head.bytes) {
    throw new TypeError(`not a whole dead letter: ${head.id}`);
  }
  return wholeDeadLetter(head, payload);
}

export function wholeDeadLetter(head: DeadLetterHead, payload: Uint8Array): DeadLetter {
  const { id, reason, detail, detailCode, topic, properties, receivedAt } = head;
  const { indexes, session, messageId, partlyStored, leftOut } = head;
  return {
    ...{ id, reason, detail, topic, payload, properties, receivedAt },
    ...(detailCode !== undefined && { detailCode }),
    ...(indexes !== undefined && { indexes }),
    ...(partlyStored !== undefined && { partlyStored }),
    ...(leftOut !== undefined && { leftOut }),
    ...(session !== undefined && { session }),
    ...(messageId !== undefined && { messageId }),
  };
}

/** @throws TypeError when the item is not the first of a dead letter's */
export function parseDeadLetterHead(item: Document): DeadLetterHead {
  const { id, topic, properties, receivedAt, indexes, session, messageId } = item;
  if (typeof id !== 'string' || typeof topic !== 'string') {
    throw new TypeError(`not a dead letter: ${textOf(item, 'pk')}`);
  }
  const detailCode = parseDetailCode(item['detailCode']);
  return {
    id,
    reason: parseReason(item['reason']),
    detail: textOf(item, 'detail'),
    ...(detailCode && { detailCode }),
    topic,
    properties: parseProperties(properties),
    receivedAt: Number(receivedAt),
    ...(Array.isArray(indexes) && { indexes: indexes.map(Number) }),
    ...parseParts(item),
    ...(typeof session === 'string' && { session }),
    ...(messageId !== undefined && { messageId: Number(messageId) }),
    bytes: Number(item['bytes'] ?? bytesOf(item).length),
    parts: Number(item['parts'] ?? 1),
    hasSpreadParts: item['hasSpreadParts'] === true,
  };
}

/** Dead letters of earlier releases have a map instead of pairs, with a list for a name that occurs more than once. */
function parseProperties(stored: DocumentValue | undefined): UserProperties {
  if (Array.isArray(stored)) {
    return stored.map((pair): [string, string] => {
      const [name, value] = Array.isArray(pair) ? pair : [];
      return [name as string, value as string]; // written as such
    });
  }
  return Object.entries(stored ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, String(value)]),
  );
}

function textOf(item: Document, name: string): string {
  const value = item[name];
  return typeof value === 'string' ? value : '';
}

function bytesOf(item: Document): Uint8Array {
  const payload = item['payload'];
  return payload instanceof Uint8Array ? payload : Buffer.alloc(0);
}
