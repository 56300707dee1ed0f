import { devicePartition, shardCountAt, shardsToWrite } from '@engawa/keys';
import { parseDevice, parseEpochs } from '@engawa/model';
import { learnShards, missingIn } from './device-epochs.ts';
import type { KnownEpoch } from '@engawa/keys';
import type { Device, DeviceKind, Document } from '@engawa/model';

/** What ingestion has to know of a device. */
export interface KnownDevice {
  readonly id: string;
  /** `other` may be refined by a later reading; people may set it meanwhile. */
  kind: DeviceKind;
  /** Whether a person has set the kind. */
  isKindNamed: boolean;
  /** Whether it waits for approval: only `refresh` and the note of when it was seen read that from the table. */
  isPending: boolean;
  /** Seconds, as the table has it. */
  span: number;
  /** Epoch milliseconds, as the table has it or will have it soon. */
  lastSeenAt: number;
  /** The last known place: only `refresh` reads it from the table. */
  place: string | undefined;
  /** Over how many keys its readings may be spread, from when on. Another replica may have added to it: then this is late. */
  shards: readonly KnownEpoch[];
  /** All partition keys that its readings may be in: derived from `shards`, since each reading asks for them. */
  partitions: readonly string[];
  /** Epoch milliseconds of the oldest reading that was lately written. */
  oldestWritten: number;
  /** When its item was last read or written here, in monotonic milliseconds. */
  readAt: number;
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
    span,
    lastSeenAt,
    place,
    shards,
    partitions: partitionsFor(id, shards),
    oldestWritten: Infinity,
    readAt,
  };
}

/**
 * Milliseconds for which readings are stored by what the item of a device said. It may have been deleted and created again
 * since: then the next one has its span and its shards, for as long as tombstones are kept (docs/adr/0074). Devices that send
 * what is not historical have their items written each hour.
 */
const maxItemAgeMs = 86_400_000;

/** Whether readings may be stored by what is known of the device. @param now monotonic milliseconds */
export function isUsable({ readAt }: KnownDevice, now: number): boolean {
  return now - readAt < maxItemAgeMs;
}

/** Milliseconds by which the clocks of replicas may differ: a last seen further ahead is wrong. */
export const clockSkewMs = 60_000;

/**
 * Takes over what another process may have changed in the device's item.
 * @param now epoch milliseconds, and monotonic ones
 * @returns whether the item says where all of its readings are that have been stored here; otherwise its shards are not taken
 */
export function takeOverItem(
  device: KnownDevice,
  item: Document,
  now: Record<'wall' | 'steady', number>,
): boolean {
  const { kind, kindNamed = false, status, place, span, lastSeenAt } = parseDevice(item);
  // `other` may be what the item said before this process refined it.
  if (kind !== 'other' || kindNamed) device.kind = kind;
  device.readAt = now.steady;
  device.isKindNamed = kindNamed;
  device.isPending = status === 'pending';
  device.place = place;
  if (lastSeenAt <= now.wall + clockSkewMs) {
    device.lastSeenAt = Math.max(device.lastSeenAt, lastSeenAt);
  }
  const hasAllShards = missingIn(parseEpochs(item['shards']), device.shards).length === 0;
  const isComplete = hasAllShards && span >= device.span;
  if (isComplete) learnShardsOf(device, item);
  return isComplete;
}

/** Takes over the shards that the device's item has; they are used once every reader knows of them. */
export function learnShardsOf(device: KnownDevice, item: Document): void {
  setShards(device, learnShards(device.shards, parseEpochs(item['shards'])));
}

export function setShards(device: KnownDevice, shards: readonly KnownEpoch[]): void {
  device.shards = shards;
  const count = shardCountAt(shards, Infinity);
  if (count !== device.partitions.length) device.partitions = partitionsFor(device.id, shards);
}

function partitionsFor(id: string, shards: readonly KnownEpoch[]): string[] {
  const count = shardCountAt(shards, Infinity);
  return Array.from({ length: count }, (_, shard) => devicePartition(id, shard));
}

/** How many keys a block of the device may go to. @param newest epoch milliseconds of its newest reading */
export function shardsFor(device: KnownDevice, newest: number): number {
  return device.shards.length === 0 ? 1 : shardsToWrite(device.shards, newest, performance.now());
}
