import { randomUUID } from 'node:crypto';
import { erasureKey, parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';

/** What is to be erased: all that belongs to a thing that has been deleted. */
export type Subject =
  | { kind: 'DEVICE'; id: string; /** Partitions that its readings are in. */ shards: number }
  | { kind: 'PLACE'; place: string }
  | { kind: 'ROOM'; place: string; room: string };

/** A deletion that has been answered, and whose remains are not all gone yet (docs/adr/0016). */
export interface Erasure {
  key: Key;
  subject: Subject;
  /** When it was deleted (epoch milliseconds): what is of a later time belongs to another thing of the same id. */
  before: number;
}

/** The same thing may be deleted again before the first deletion has come to its end, so each has a key of its own. */
export function newErasure(subject: Subject): Erasure {
  return {
    key: erasureKey(subject.kind, ...idsOf(subject), randomUUID()),
    subject,
    before: Date.now(),
  };
}

export function erasureItem({ key, subject, before }: Erasure): Document {
  const { pk, sk } = key;
  return { pk, sk, before, ...(subject.kind === 'DEVICE' && { shards: subject.shards }) };
}

/** @throws TypeError when the item is no erasure that this version knows */
export function parseErasure(item: Document): Erasure {
  const key = keyOf(item);
  const parsed = parseKey(key);
  const kind = parsed.item === 'erasure' ? parsed.kind : parsed.item;
  const [first = '', second = ''] = parsed.item === 'erasure' ? parsed.ids : [];
  const before = Number(item['before']);
  switch (kind) {
    case 'DEVICE':
      return { key, before, subject: { kind, id: first, shards: Number(item['shards'] ?? 1) } };
    case 'PLACE':
      return { key, before, subject: { kind, place: first } };
    case 'ROOM':
      return { key, before, subject: { kind, place: first, room: second } };
    default:
      throw new TypeError(`not an erasure that is known here: ${kind}`);
  }
}

function idsOf(subject: Subject): string[] {
  switch (subject.kind) {
    case 'DEVICE':
      return [subject.id];
    case 'PLACE':
      return [subject.place];
    case 'ROOM':
      return [subject.place, subject.room];
  }
}
