import type { AdviceCode } from './advice-texts.ts';
import type { PartitionKind, ShardedKind } from '../keys/partition-kind.ts';

const reads = ['request-less', 'replicas-do-not-help'] as const;

/** Measures for a key with too many reads. */
export const onReads: Record<PartitionKind, readonly AdviceCode[]> = {
  device: ['request-device-less', 'replicas-read-same-partition'],
  list: reads,
  seen: reads,
  attribute: reads,
  text: ['fewer-text-followers', 'replicas-do-not-help'],
  expiry: ['raise-task-refresh', 'replicas-do-not-help'],
  relations: reads,
  memberships: reads,
  entity: ['request-entity-less'],
  uniqueValue: reads,
  place: reads,
  room: reads,
  deadLetters: reads,
  parkedBlocks: ['follow-throttled-devices'],
  types: ['raise-type-refresh'],
  shardMap: ['fewer-shard-map-readers'],
  unknown: reads,
};

/** Measures for a key with too many writes, other than more shards. */
export const onWrites: Record<PartitionKind, readonly AdviceCode[]> = {
  device: ['batch-readings'],
  list: ['change-list-slowly'],
  seen: ['many-devices-seen'],
  attribute: ['write-attributes-less'],
  text: ['combine-text-changes'],
  expiry: ['change-expiry-less'],
  relations: ['relate-fewer-entities'],
  memberships: ['move-device-less'],
  entity: ['combine-entity-changes'],
  uniqueValue: ['find-sender-of-value'],
  place: ['place-devices-slowly'],
  room: ['move-devices-of-room-slowly'],
  deadLetters: ['find-dead-letter-reason'],
  parkedBlocks: ['follow-throttled-devices'],
  types: ['change-types-slowly'],
  shardMap: ['increase-load-slowly'],
  unknown: ['spread-writes'],
};

/** Measures for a family with the maximum of shards. */
export const growthIsOver: Record<ShardedKind, AdviceCode> = {
  device: 'max-shards-of-device',
  list: 'max-shards-of-list',
  seen: 'max-shards-of-seen',
  attribute: 'max-shards-of-attribute',
  text: 'max-shards-of-text',
  expiry: 'max-shards-of-expiry',
};
