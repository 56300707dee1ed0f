import { deviceKey, deviceListKey, deviceSeenKey, shardOf } from '@engawa/keys';
import { annotationAttributes, annotationsOf } from './annotations.ts';
import { parseCorrectionState } from './correction.ts';
import { deviceKinds } from './kind.ts';
import { epochDocuments, parseEpochs } from './shard-epochs.ts';
import type { ShardEpoch } from '@engawa/keys';
import type { Annotations } from './annotations.ts';
import type { CorrectionState } from './correction.ts';
import type { Document } from './item-size.ts';
import type { DeviceKind } from './kind.ts';

export interface Device extends Annotations {
  id: string;
  name: string;
  kind: DeviceKind;
  /** Whether a person has set the kind: then no reading changes it. */
  kindNamed?: boolean;
  /** Whether its readings are shown as usual, or hidden by query until it is approved (docs/adr/0042). */
  status: 'active' | 'pending';
  /** Epoch milliseconds, as all times here. */
  registeredAt: number;
  /**
   * The time of its newest reading, or of that reading's receipt where the device's clock is ahead. Up to an hour old, so
   * that it costs little to keep; 0 until it is heard of for the first time.
   */
  lastSeenAt: number;
  /** Where it is; absent until somebody has said so. */
  place?: string;
  room?: string;
  /** When it was last moved, or taken away; absent until then. */
  since?: number;
  /** How many partitions its readings are spread over, from when on; absent while they are in one. */
  shards?: ShardEpoch[];
  /** Seconds that the longest of its blocks spans, rounded up to a power of two; 0 while it sends single readings. */
  span: number;
  /** Changes with each correction of its readings; absent while there is none (docs/adr/0048). */
  corrections?: CorrectionState;
  /** Raised by each change that somebody made, for ETags. */
  version: number;
}

/** Of a device that has been registered and not been heard of: among those last seen it is the longest silent. */
export const neverSeen = 0;

/** Milliseconds between two updates of when a device was last seen: each is 3 write units (docs/adr/0005). */
export const seenIntervalMs = 3_600_000;

/** How many shards the device lists have now. */
export interface ListShards {
  list: number;
  seen: number;
}

/** Without `shards` the item is in no list until an update adds the index keys: see `isListed`. */
export function deviceItem(device: Device, shards?: ListShards): Document {
  return { ...deviceKey(device.id), ...deviceAttributes(device, shards), span: device.span };
}

/** The item without its key and its span. */
export function deviceAttributes(device: Omit<Device, 'span'>, shards?: ListShards): Document {
  return {
    ...(shards !== undefined && {
      ...nameAttributes(device.id, device.name, shards),
      ...seenAttributes(device.id, device.lastSeenAt, shards),
    }),
    id: device.id,
    name: device.name,
    lastSeenAt: device.lastSeenAt,
    kind: device.kind,
    ...(device.kindNamed === true && { kindNamed: true }),
    status: device.status,
    registeredAt: device.registeredAt,
    version: device.version,
    ...annotationAttributes(device),
    ...(device.place !== undefined && { place: device.place }),
    ...(device.room !== undefined && { room: device.room }),
    ...(device.since !== undefined && { since: device.since }),
    ...(device.shards !== undefined && {
      shards: epochDocuments(device.shards),
    }),
    ...(device.corrections !== undefined && { corrections: { ...device.corrections } }),
  };
}

/** Whether both lists of devices have this item: ingestion adds it later where an index is throttled (docs/adr/0033). */
export function isListed(item: Document): boolean {
  return item['gsi1pk'] !== undefined && item['gsi2pk'] !== undefined;
}

/** What changes in the item when a device is renamed; one update re-sorts it among the names. */
export function nameAttributes(id: string, name: string, shards: ListShards): Document {
  return { name, ...deviceListKey(shardOf(id, shards.list), name, id) };
}

/** What changes in the item when a device is heard of; one update re-sorts it by last seen. */
export function seenAttributes(id: string, lastSeenAt: number, shards: ListShards): Document {
  return { lastSeenAt, ...deviceSeenKey(shardOf(id, shards.seen), lastSeenAt, id) };
}

/** @throws TypeError when the item is not a device */
export function parseDevice(item: Readonly<Record<string, unknown>>): Device {
  const { id, name, kind, status, registeredAt, lastSeenAt, span, version } = item;
  const { kindNamed, place, room, since, shards, corrections } = item;
  const known = deviceKinds.find((candidate) => candidate === kind);
  if (typeof id !== 'string' || typeof name !== 'string') {
    throw new TypeError(`not a device: ${String(item['pk'])}`);
  }
  return {
    id,
    name,
    kind: known ?? 'other',
    ...(kindNamed === true && { kindNamed }),
    status: status === 'pending' ? 'pending' : 'active',
    registeredAt: Number(registeredAt),
    lastSeenAt: Number(lastSeenAt),
    span: Number(span),
    version: Number(version),
    ...annotationsOf(item),
    ...(typeof place === 'string' && { place }),
    ...(typeof room === 'string' && { room }),
    ...(since !== undefined && { since: Number(since) }),
    ...(shards !== undefined && { shards: parseEpochs(shards) }),
    ...(corrections !== undefined && { corrections: parseCorrectionState(corrections) }),
  };
}
