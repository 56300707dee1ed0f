import { shardsToWrite } from '@engawa/keys';
import { parseDevice, parseEpochs, readingPartitions } from '@engawa/model';
import { learnShards, missingIn } from './device-epochs.ts';
import type { KnownEpoch } from '@engawa/keys';
import type { BlockReceipt, ClockAhead, Device, DeviceKind, Document } from '@engawa/model';

/** The cached state of a device. */
export interface KnownDevice {
  readonly id: string;
  /** `other` until a reading indicates the kind; users may set it. */
  kind: DeviceKind;
  /** Whether a user has set the kind. */
  isKindNamed: boolean;
  /** Whether the device waits for approval, as of the last read of its item. */
  isPending: boolean;
  /** Seconds that the device's longest block may cover, as in the table (`span`). */
  blockSpan: number;
  /** Epoch milliseconds, as in the table now or soon. */
  lastSeenAt: number;
  /** Readings ahead of their receipt that are not in the table. */
  ahead: ClockAhead | undefined;
  /** By how many milliseconds its readings were ahead, as in the table now or soon; undefined: its clock never was. */
  notedAheadMs: number | undefined;
  /** The place as of the last read of the item. */
  place: string | undefined;
  /** Number of shards, with the time from which each number applies. Behind if another replica has added to it. */
  shards: readonly KnownEpoch[];
  /**
   * All partition keys that readings of the device may have; derived from `shards`, because each reading needs them.
   */
  partitions: readonly string[];
  /** Epoch milliseconds of the oldest reading written with these shards; Infinity without any (`noteWritten`). */
  oldestWritten: number;
  /** When this process last read or wrote the item, in monotonic milliseconds. */
  readAt: number;
  /** The block that this process made last of readings that their content identifies. */
  lastBlock?: { hash: string; receipt: BlockReceipt } | undefined;
  /** When readings were last received, in monotonic milliseconds. */
  receivedAt: number;
}

/** @param readAt monotonic milliseconds */
export function knownDevice(device: Device, readAt: number): KnownDevice {
  const { id, kind, kindNamed = false, status, span, lastSeenAt, place } = device;
  const shards = learnShards([], device.shards ?? []);
  return {
    id,
    kind,
    isKindNamed: kindNamed,
    isPending: status === 'pending',
    blockSpan: span,
    lastSeenAt,
    ahead: undefined,
    notedAheadMs: device.clockAhead?.ms,
    place,
    shards,
    partitions: readingPartitions({ id, shards }),
    oldestWritten: Infinity,
    readAt,
    receivedAt: readAt,
  };
}

/**
 * Maximum age of a cached item in milliseconds. The device may have been deleted and created again since: the new one
 * inherits its block span and shards while the tombstone is kept (docs/adr/0074). Items of devices with new readings
 * are written each hour.
 */
const maxItemAgeMs = 86_400_000;

/**
 * Whether the cached state is recent enough to store readings.
 * @param now monotonic milliseconds
 */
export function isUsable({ readAt }: KnownDevice, now: number): boolean {
  return now - readAt < maxItemAgeMs;
}

/** Maximum clock difference of replicas in milliseconds: a last seen further ahead is wrong. */
export const clockSkewMs = 60_000;

/**
 * Adopts changes of other processes from the device's item.
 * @param now epoch milliseconds, and monotonic milliseconds
 * @returns whether the item lists all shards and the block span of readings stored here; else its shards stay unused
 */
export function takeOverItem(
  device: KnownDevice,
  item: Document,
  now: Record<'wall' | 'steady', number>,
): boolean {
  const { kind, kindNamed = false, status, place, span, lastSeenAt } = parseDevice(item);
  // `other` may be older than the kind that this process found.
  if (kind !== 'other' || kindNamed) device.kind = kind;
  device.readAt = now.steady;
  device.isKindNamed = kindNamed;
  device.isPending = status === 'pending';
  device.place = place;
  if (lastSeenAt <= now.wall + clockSkewMs) {
    device.lastSeenAt = Math.max(device.lastSeenAt, lastSeenAt);
  }
  const hasAllShards = missingIn(parseEpochs(item['shards']), device.shards).length === 0;
  const isComplete = hasAllShards && span >= device.blockSpan;
  if (isComplete) learnShardsOf(device, item);
  return isComplete;
}

/** Adopts the shards of the device's item; they are used once every reader knows them. */
export function learnShardsOf(device: KnownDevice, item: Document): void {
  setShards(device, learnShards(device.shards, parseEpochs(item['shards'])));
}

export function setShards(device: KnownDevice, shards: readonly KnownEpoch[]): void {
  if (shards.length > device.shards.length) device.oldestWritten = Infinity;
  device.shards = shards;
  device.partitions = readingPartitions(device);
}

/**
 * To be called before a block is written: the next growth applies to readings as old as those that made the device hot.
 * @param oldest epoch milliseconds of the block's oldest reading
 */
export function noteWritten(device: KnownDevice, oldest: number): void {
  device.oldestWritten = Math.min(device.oldestWritten, oldest);
}

/**
 * Number of keys among which a block of the device is distributed.
 * @param newest epoch milliseconds of its newest reading
 */
export function shardsFor(device: KnownDevice, newest: number): number {
  return device.shards.length === 0 ? 1 : shardsToWrite(device.shards, newest, performance.now());
}
