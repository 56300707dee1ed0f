import { maxShards } from '@engawa/keys';
import type { PartitionKind, ShardedKind } from './partition-kind.ts';

const askLess =
  'Send fewer requests for the same data: cache answers, poll less often, and request larger pages (`limit`) instead of many small ones.';
const replicasDoNotHelp =
  'More replicas of a service and more shards do not help: every replica reads every shard.';
const reads = [askLess, replicasDoNotHelp];

const throttledDevices =
  'Readings of throttled devices wait here until they are moved: follow the advice for the keys of these devices.';

/** Measures for a key with too many reads. */
export const onReads: Record<PartitionKind, readonly string[]> = {
  device: [
    'Request this device less often: one request to `latest?limit=` instead of many, longer polling intervals, larger pages, and aggregates instead of readings for long ranges.',
    'More replicas of a service do not help: all of them read the same partition.',
  ],
  list: reads,
  seen: reads,
  attribute: reads,
  text: [
    'Run fewer replicas that follow text changes: each of them polls this partition.',
    replicasDoNotHelp,
  ],
  expiry: [
    'Raise TASK_REFRESH_MS, or run fewer replicas of the catalog: each of them reads this partition at this interval.',
    replicasDoNotHelp,
  ],
  relations: reads,
  memberships: reads,
  entity: [
    'Request this entity less often: cache it, and request its relations in larger pages, or only those of the type that is needed.',
    replicasDoNotHelp,
  ],
  uniqueValue: reads,
  place: reads,
  room: reads,
  deadLetters: reads,
  parkedBlocks: [throttledDevices],
  types: [
    'Raise TYPE_REFRESH_MS, or run fewer replicas of the catalog: each of them reads the entity types at this interval.',
  ],
  shardMap: ['Run fewer replicas: each of them reads the shard map every two seconds.'],
  unknown: reads,
};

/** Measures for a key with too many writes, other than more shards. */
export const onWrites: Record<PartitionKind, readonly string[]> = {
  device: [
    'Send more readings in one message, or raise LINGER_MS so that more readings share a block: DynamoDB charges a block by the started kilobyte, so ten readings in one block cost about a tenth.',
  ],
  list: ['Until the list has more shards, create and rename its items more slowly.'],
  seen: [
    'Each device is written here at most once an hour, so the number of devices makes this key hot: only more shards help.',
  ],
  attribute: [
    'Write searched and ranked attributes less often: combine changes of the same entity, or round values that need not be exact.',
  ],
  text: ['Change all texts of an entity in one request, and import texts more slowly.'],
  expiry: ['Change when an entity expires less often, and create such entities more slowly.'],
  relations: [
    'This key holds all relations that lead to one popular entity, and has no shards: relate fewer entities to it directly (through intermediate entities, by year or region), or replace the relation by a searched attribute, since searches have shards.',
  ],
  memberships: [
    'This key holds the placement history of one device, and has no shards: move the device less often.',
  ],
  entity: [
    'An entity has no shards: combine its changes in fewer requests, and keep values that change all the time (counters, states) in separate entities.',
  ],
  uniqueValue: [
    'This key is one value of a unique attribute, and has no shards: only one entity can have the value, so look for the client that sends it again and again (409 `not-unique`), or that moves it between entities.',
  ],
  place: [
    'A place has no shards: place and move its devices more slowly, or split it into several places.',
  ],
  room: [
    'A room has no shards: place and move its devices more slowly, or split it into several rooms.',
  ],
  deadLetters: [
    'Very many messages become dead letters: find the reason (GET /v1/deadLetters), and stop or fix their publisher.',
  ],
  parkedBlocks: [throttledDevices],
  types: ['Entity types are meant to change rarely: change one at a time.'],
  shardMap: ['Many key families get more shards at the same time: increase the load more slowly.'],
  unknown: ['This key has no shards: spread its writes over several keys, or write less often.'],
};

const upTo = (shards: number | undefined): string =>
  shards === undefined ? `up to ${maxShards}` : `${shards} now, up to ${maxShards}`;

export function growthIsOn(shards: number | undefined): string {
  return `While the key stays hot, its load is spread over more shards automatically (${upTo(shards)}), if SHARD_GROWTH is on in the service that writes it.`;
}

export function growthIsOff(shards: number | undefined): string {
  return `Set SHARD_GROWTH=on in the service that writes this key: its load is then spread over more shards automatically (${upTo(shards)}).`;
}

export const hotInSum =
  'No process makes this key hot alone: several processes use it at the same time.';

export const growthOfSum =
  'Its load is spread over more shards automatically if SHARD_GROWTH is on and HOT_PARTITION_PEERS names all processes that write the key; otherwise only once DynamoDB throttles the key, or one process alone makes it hot.';

const over = `The load is spread over ${maxShards} shards, which is the maximum`;

/** Measures for a family with the maximum of shards. */
export const growthIsOver: Record<ShardedKind, string> = {
  device: `${over}: let the source publish as several devices.`,
  list: `${over}: create and rename items more slowly, or spread entities over several types.`,
  seen: `${over}: let fewer devices report for the first time at once.`,
  attribute: `${over}: spread the entities over several types, or search by something else.`,
  text: `${over}: change texts more slowly.`,
  expiry: `${over}: create entities that expire more slowly.`,
};
