import { randomUUID } from 'node:crypto';
import { deviceKey, purgeJobKey, parseKey, placeKey, roomKey } from '@engawa/keys';
import { erasedAttributes, keyOf, tombstoneItem, tombstoneOf } from '@engawa/model';
import { ConditionFailed, equal } from '@engawa/table';
import type { Condition, Table, Write } from '@engawa/table';
import type { Key } from '@engawa/keys';
import type { Document, Tombstone } from '@engawa/model';

/** The deleted resource whose data is purged. */
export type PurgeTarget =
  | { kind: 'DEVICE'; id: string; /** Partitions that its readings are in. */ shards: number }
  | { kind: 'PLACE'; place: string }
  | { kind: 'ROOM'; place: string; room: string };

/** The durable record of a deletion whose data is not fully purged (docs/adr/0043). */
export interface PurgeJob extends Tombstone {
  key: Key;
  target: PurgeTarget;
}

/** At most one per id: the tombstone prevents the creation of another resource. */
export function newPurgeJob(target: PurgeTarget): PurgeJob {
  const key = purgeJobKey(target.kind, ...idsOf(target));
  return { key, target, deletion: randomUUID(), deletedAt: Date.now() };
}

/**
 * Replaces the deleted item by a tombstone, if the condition holds, and creates the purge job.
 * @param kept attributes that the tombstone keeps for the next resource of the id
 */
export function purgeJobWrites(
  job: PurgeJob,
  onlyIf: Condition,
  kept: Document = {},
): [Write, Write] {
  const { key, target, deletion, deletedAt } = job;
  const shards = target.kind === 'DEVICE' ? { shards: target.shards } : {};
  return [
    { put: { ...kept, ...tombstoneItem(deletedKey(target), job) }, onlyIf },
    { put: { pk: key.pk, sk: key.sk, deletion, deletedAt, ...shards } },
  ];
}

/**
 * Ends the purge job: the id can be used again. The tombstone of a device stays for some days, for
 * the next device of the id. Idempotent.
 */
export async function endPurgeJob(
  table: Table,
  { key, target, deletion }: PurgeJob,
): Promise<void> {
  const onlyIf = equal('deletion', deletion);
  try {
    const tombstone = deletedKey(target);
    const release: Write =
      target.kind === 'DEVICE'
        ? { update: tombstone, set: erasedAttributes(Date.now()), onlyIf }
        : { delete: tombstone, onlyIf };
    await table.transact([release, { delete: key, onlyIf }]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** @throws TypeError where the item is not a purge job that this release knows */
export function parsePurgeJob(item: Document): PurgeJob {
  const key = keyOf(item);
  const tombstone = tombstoneOf(item);
  if (tombstone === undefined) throw new TypeError(`a purge job without a deletion: ${key.sk}`);
  return { key, target: targetOf(key, item), ...tombstone };
}

function targetOf(key: Key, item: Document): PurgeTarget {
  const parsed = parseKey(key);
  const kind = parsed.item === 'purgeJob' ? parsed.kind : parsed.item;
  const [first = '', second = ''] = parsed.item === 'purgeJob' ? parsed.ids : [];
  switch (kind) {
    case 'DEVICE':
      return { kind, id: first, shards: Number(item['shards'] ?? 1) };
    case 'PLACE':
      return { kind, place: first };
    case 'ROOM':
      return { kind, place: first, room: second };
    default:
      throw new TypeError(`a purge job of an unknown kind: ${kind}`);
  }
}

function deletedKey(target: PurgeTarget): Key {
  switch (target.kind) {
    case 'DEVICE':
      return deviceKey(target.id);
    case 'PLACE':
      return placeKey(target.place);
    case 'ROOM':
      return roomKey(target.place, target.room);
  }
}

function idsOf(target: PurgeTarget): string[] {
  switch (target.kind) {
    case 'DEVICE':
      return [target.id];
    case 'PLACE':
      return [target.place];
    case 'ROOM':
      return [target.place, target.room];
  }
}
