import { maximumShards } from '@engawa/keys';
import type { PartitionKind, ShardedKind } from './partition-kind.ts';

const askLess =
  'Ask less often for the same: keep answers for a while, poll more slowly, and take larger pages (`limit`) instead of many small ones.';
const replicasDoNotHelp =
  'Neither more replicas of a service nor more shards help here: each of them asks the same keys.';
const reads = [askLess, replicasDoNotHelp];

/** What to do about a key that is read too much. */
export const onReads: Record<PartitionKind, readonly string[]> = {
  device: [
    'Ask less often for this device: one question to `latest?limit=` instead of many, slower polling, larger pages, and aggregates instead of readings for long times.',
    'More replicas of a service do not help: each of them asks the same keys.',
  ],
  list: reads,
  seen: reads,
  attribute: reads,
  text: [
    'Let fewer processes follow the changes of texts: each of them asks this key again and again.',
    replicasDoNotHelp,
  ],
  relations: reads,
  memberships: reads,
  entity: [
    'Ask less often for this entity: keep it for a while, and take its relations in larger pages, or only those of the type that is needed.',
    replicasDoNotHelp,
  ],
  place: reads,
  room: reads,
  deadLetters: reads,
  types: ['Run fewer processes that ask for the types, or ask them less often.', replicasDoNotHelp],
  shardMap: ['Run fewer processes: each of them reads the shard map every two seconds.'],
  unknown: reads,
};

/** What to do about a key that is written too much, beside giving it more shards. */
export const onWrites: Record<PartitionKind, readonly string[]> = {
  device: [
    'Send more readings in one message, or let them wait longer for company (LINGER_MS): DynamoDB charges a block of readings by the started kilobyte, so that ten in one block cost about a tenth.',
  ],
  list: ['Until there are more shards, create and rename more slowly.'],
  seen: [
    'A device is written here at most once an hour: it is their number that makes the key hot, and only more shards help.',
  ],
  attribute: [
    'Write values that are searched or ranked by less often: collect changes of the same entity, or round what need not be exact.',
  ],
  text: ['Change all texts of an entity in one request, and load many of them more slowly.'],
  relations: [
    'All relations back to one popular entity are under this key, and it has no shards: relate fewer entities to it directly (put others in between, by year or by region), or make it an attribute that is searched, since a search has shards.',
  ],
  memberships: [
    'Where one device has been is under this key, and it has no shards: move the device less often.',
  ],
  entity: [
    'An entity has no shards: put several changes of it into one request, and keep what changes all the time (counters, states) in entities of their own.',
  ],
  place: [
    'A place has no shards: place and move its devices more slowly, or make several places of it.',
  ],
  room: [
    'A room has no shards: place and move its devices more slowly, or make several rooms of it.',
  ],
  deadLetters: [
    'Very many messages become dead letters: see why (GET /v1/deadLetters), and stop or mend what sends them.',
  ],
  types: ['Types are for the model: change them only with it, and one at a time.'],
  shardMap: ['Let families grow one after another.'],
  unknown: [
    'This key has no shards: spread what is written under it over several keys, or write it less often.',
  ],
};

const upTo = (shards: number | undefined): string =>
  shards === undefined ? `up to ${maximumShards}` : `${shards} now, up to ${maximumShards}`;

export function growthIsOn(shards: number | undefined): string {
  return `While it stays hot, it is spread over more keys by itself (${upTo(shards)}), as long as SHARD_GROWTH is on in the service that writes it.`;
}

export function growthIsOff(shards: number | undefined): string {
  return `Set SHARD_GROWTH=on in the service that writes it: then it is spread over more keys by itself (${upTo(shards)}).`;
}

export const growthOfSum =
  'Each process counts what it sends itself, so it is spread over more keys once one process alone makes it hot, or DynamoDB throttles it (SHARD_GROWTH).';

const over = `It is spread over ${maximumShards} keys, and nothing grows any more`;

/** What is left to do once a family has all the shards that there can be. */
export const growthIsOver: Record<ShardedKind, string> = {
  device: `${over}: let the source publish as several devices.`,
  list: `${over}: create and rename more slowly, or spread entities over several types.`,
  seen: `${over}: let fewer devices report for the first time at once.`,
  attribute: `${over}: spread the entities over several types, or search by something else.`,
  text: `${over}: change texts more slowly.`,
};
