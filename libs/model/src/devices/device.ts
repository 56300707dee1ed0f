import {
  deviceKey,
  deviceListKey,
  devicePartition,
  deviceSeenKey,
  shardCountAt,
  shardOf,
} from '@engawa/keys';
import { annotationAttributes, annotationsOf } from '../places/annotations.ts';
import { correctionStateDocument, parseCorrectionState } from '../corrections/correction-state.ts';
import { deviceKinds } from './kind.ts';
import { epochDocuments, parseEpochs } from './shard-epochs.ts';
import type { ShardEpoch } from '@engawa/keys';
import type { Annotations } from '../places/annotations.ts';
import type { CorrectionState } from '../corrections/correction-state.ts';
import type { Document } from '../values/item-size.ts';
import type { DeviceKind } from './kind.ts';

/** Readings whose times are ahead of their receipt: the clock of the device, or its time zone, is wrong. */
export interface ClockAhead {
  /** Number of all such readings. Approximate: updated at most once an hour. */
  readings: number;
  /** By how many milliseconds the last of them were ahead, at most. */
  ms: number;
  /** Receipt of the last of them, in epoch milliseconds. */
  at: number;
}

export interface Device extends Annotations {
  id: string;
  name: string;
  kind: DeviceKind;
  /** Whether a user has set the kind; readings then do not change it. */
  kindNamed?: boolean;
  /** `pending`: query hides its readings until the device is approved (docs/adr/0042). */
  status: 'active' | 'pending';
  /** Epoch milliseconds, like all times of this interface. */
  registeredAt: number;
  /**
   * When the device last sent a message: its receipt, for any times of its readings. Updated at most once an hour,
   * to save writes; 0 before the first reading.
   */
  lastSeenAt: number;
  /** Absent if no reading was ahead of its receipt by more than a minute. */
  clockAhead?: ClockAhead;
  /** Its location; absent until it is placed. */
  place?: string;
  room?: string;
  /** Time of the last placement, move or removal. */
  since?: number;
  /** The history of its shard count; absent while its readings are in one shard. */
  shards?: ShardEpoch[];
  /** Length of its longest block in seconds, rounded up to a power of two; 0 while it has single readings only. */
  span: number;
  /** Changes with each correction of the device's readings; absent without corrections (docs/adr/0048). */
  corrections?: CorrectionState;
  /** Incremented by each change of a client, for ETags. */
  version: number;
}

/** `lastSeenAt` of a device without readings: sorts as the longest silent device. */
export const neverSeen = 0;

/** Minimum interval of updates of `lastSeenAt`: each costs 3 write units (docs/adr/0005). */
export const seenIntervalMs = 3_600_000;

/** The current numbers of shards of the device lists. */
export interface ListShards {
  list: number;
  seen: number;
}

/** Without `shards` the item is in no list until an update adds the index keys: see `isListed`. */
export function deviceItem(device: Device, shards?: ListShards): Document {
  return { ...deviceKey(device.id), ...deviceAttributes(device, shards), span: device.span };
}

/** The item without its key and its block span. */
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
    ...(device.clockAhead && {
      ...aheadAttributes(device.clockAhead),
      aheadReadings: device.clockAhead.readings,
    }),
    ...(device.place !== undefined && { place: device.place }),
    ...(device.room !== undefined && { room: device.room }),
    ...(device.since !== undefined && { since: device.since }),
    ...(device.shards !== undefined && {
      shards: epochDocuments(device.shards),
    }),
    ...(device.corrections !== undefined && {
      corrections: correctionStateDocument(device.corrections),
    }),
  };
}

/** Whether both device lists contain the item: ingestion adds it later where an index is throttled (docs/adr/0033). */
export function isListed(item: Document): boolean {
  return item['gsi1pk'] !== undefined && item['gsi2pk'] !== undefined;
}

/** The attributes that a new name changes; one update moves the device in the list by name. */
export function nameAttributes(id: string, name: string, shards: ListShards): Document {
  return { name, ...deviceListKey(shardOf(id, shards.list), name, id) };
}

/** The attributes that a reading changes; one update moves the device in the list by last seen. */
export function seenAttributes(id: string, lastSeenAt: number, shards: ListShards): Document {
  return { lastSeenAt, ...deviceSeenKey(shardOf(id, shards.seen), lastSeenAt, id) };
}

/** The attributes that readings ahead of their receipt set. Their number is added (`aheadReadings`). */
export function aheadAttributes({ ms, at }: Pick<ClockAhead, 'ms' | 'at'>): Document {
  return { aheadMs: ms, aheadAt: at };
}

/**
 * The partition keys to query for the readings of a device: for blocks that end at or before a time (epoch
 * milliseconds), by default for all.
 */
export function readingPartitions(
  { id, shards = [] }: Readonly<Pick<Device, 'id'>> & { shards?: readonly ShardEpoch[] },
  until = Infinity,
): string[] {
  const count = shardCountAt(shards, until);
  return Array.from({ length: count }, (_, shard) => devicePartition(id, shard));
}

/** @throws TypeError when the item is not a device */
export function parseDevice(item: Readonly<Record<string, unknown>>): Device {
  const { id, name, kind, status, registeredAt, lastSeenAt, span, version } = item;
  const { kindNamed, place, room, since, shards, corrections } = item;
  const { aheadReadings, aheadMs, aheadAt } = item;
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
    ...(aheadAt !== undefined && {
      clockAhead: { readings: Number(aheadReadings), ms: Number(aheadMs), at: Number(aheadAt) },
    }),
    ...(typeof place === 'string' && { place }),
    ...(typeof room === 'string' && { room }),
    ...(since !== undefined && { since: Number(since) }),
    ...(shards !== undefined && { shards: parseEpochs(shards) }),
    ...(corrections !== undefined && { corrections: parseCorrectionState(corrections) }),
  };
}
