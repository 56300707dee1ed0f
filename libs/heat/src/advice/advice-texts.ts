import { nameOf, throttlingTexts } from './throttling-advice.ts';
import type { AdviceValues } from './advice-values.ts';

/** An advice for programs: its text is that of `adviceText`, in English. */
export interface Advice {
  code: AdviceCode;
  values: AdviceValues;
}

const upTo = ({ shards, maxShards }: AdviceValues): string =>
  shards === undefined ? `up to ${maxShards}` : `${shards} now, up to ${maxShards}`;
const isMaximum = ({ maxShards }: AdviceValues): string =>
  `The load is spread over ${maxShards} shards, which is the maximum`;
const inIndex = ({ index }: AdviceValues): string =>
  `This key belongs to the index ${index}, not to the table`;

const texts = {
  'reads-of-index': (values: AdviceValues) =>
    `${inIndex(values)}: queries of the index are throttled, reads of the table are not.`,
  'writes-of-index': (values: AdviceValues) =>
    `${inIndex(values)}: while DynamoDB throttles it, writes to the table are throttled as well if the item has this key in the index.`,
  'likely-cause':
    'DynamoDB gave no reason for these throttles. This key is the most used of those in the throttled requests, so it is the likely cause.',
  'throttled-below-limit': (values: AdviceValues) =>
    `DynamoDB throttles requests with this key, but it uses far less than one partition can take: look for another cause. It can be the hottest key of ${nameOf(values)}, a neighbour in the same partition, a load that has more than doubled within 30 minutes on an on-demand table, or a low warm throughput. Increase the load more slowly, or raise the warm throughput of ${nameOf(values)}; more shards of this key do not help.`,
  'hot-in-total': 'No process makes this key hot alone: several processes use it at the same time.',
  'request-less':
    'Send fewer requests for the same data: cache answers, poll less often, and request larger pages (`limit`) instead of many small ones.',
  'replicas-do-not-help':
    'More replicas of a service and more shards do not help: every replica reads every shard.',
  'request-device-less':
    'Request this device less often: one request to `latest?limit=` instead of many, longer polling intervals, larger pages, and aggregates instead of readings for long ranges.',
  'replicas-read-same-partition':
    'More replicas of a service do not help: all of them read the same partition.',
  'fewer-text-followers':
    'Run fewer replicas that follow text changes: each of them polls this partition.',
  'raise-task-refresh':
    'Raise TASK_REFRESH_MS, or run fewer replicas of the catalog: each of them reads this partition at this interval.',
  'request-entity-less':
    'Request this entity less often: cache it, and request its relations in larger pages, or only those of the type that is needed.',
  'raise-type-refresh':
    'Raise TYPE_REFRESH_MS, or run fewer replicas of the catalog: each of them reads the entity types at this interval.',
  'fewer-shard-map-readers':
    'Run fewer replicas: each of them reads the shard map every two seconds.',
  'batch-readings':
    'Send more readings in one message, or raise LINGER_MS so that more readings share a block: DynamoDB charges a block by the started kilobyte, so ten readings in one block cost about a tenth.',
  'change-list-slowly': 'Until the list has more shards, create and rename its items more slowly.',
  'many-devices-seen':
    'Each device is written here at most once an hour, so the number of devices makes this key hot: only more shards help.',
  'write-attributes-less':
    'Write searched and ranked attributes less often: combine changes of the same entity, or round values that need not be exact.',
  'combine-text-changes':
    'Change all texts of an entity in one request, and import texts more slowly.',
  'change-expiry-less':
    'Change when an entity expires less often, and create such entities more slowly.',
  'relate-fewer-entities':
    'This key holds all relations that lead to one popular entity, and has no shards: relate fewer entities to it directly (through intermediate entities, by year or region), or replace the relation by a searched attribute, since searches have shards.',
  'move-device-less':
    'This key holds the placement history of one device, and has no shards: move the device less often.',
  'combine-entity-changes':
    'An entity has no shards: combine its changes in fewer requests, and keep values that change all the time (counters, states) in separate entities.',
  'find-sender-of-value':
    'This key is one value of a unique attribute, and has no shards: only one entity can have the value, so look for the client that sends it again and again (409 `not-unique`), or that moves it between entities.',
  'place-devices-slowly':
    'A place has no shards: place and move its devices more slowly, or split it into several places.',
  'move-devices-of-room-slowly':
    'A room has no shards: place and move its devices more slowly, or split it into several rooms.',
  'find-dead-letter-reason':
    'Very many messages become dead letters: find the reason (GET /v1/deadLetters), and stop or fix their publisher.',
  'follow-throttled-devices':
    'Readings of throttled devices wait here until they are moved: follow the advice for the keys of these devices.',
  'change-types-slowly': 'Entity types are meant to change rarely: change one at a time.',
  'increase-load-slowly':
    'Many key families get more shards at the same time: increase the load more slowly.',
  'spread-writes':
    'This key has no shards: spread its writes over several keys, or write less often.',
  'shards-are-added': (values: AdviceValues) =>
    `While the key stays hot, its load is spread over more shards automatically (${upTo(values)}), if SHARD_GROWTH is on in the service that writes it.`,
  'turn-on-shard-growth': (values: AdviceValues) =>
    `Set SHARD_GROWTH=on in the service that writes this key: its load is then spread over more shards automatically (${upTo(values)}).`,
  'shards-are-added-in-total':
    'Its load is spread over more shards automatically if SHARD_GROWTH is on and HOT_PARTITION_PEERS names all processes that write the key; otherwise only once DynamoDB throttles the key, or one process alone makes it hot.',
  'max-shards-of-device': (values: AdviceValues) =>
    `${isMaximum(values)}: let the source publish as several devices.`,
  'max-shards-of-list': (values: AdviceValues) =>
    `${isMaximum(values)}: create and rename items more slowly, or spread entities over several types.`,
  'max-shards-of-seen': (values: AdviceValues) =>
    `${isMaximum(values)}: let fewer devices report for the first time at once.`,
  'max-shards-of-attribute': (values: AdviceValues) =>
    `${isMaximum(values)}: spread the entities over several types, or search by something else.`,
  'max-shards-of-text': (values: AdviceValues) => `${isMaximum(values)}: change texts more slowly.`,
  'max-shards-of-expiry': (values: AdviceValues) =>
    `${isMaximum(values)}: create entities that expire more slowly.`,
  ...throttlingTexts,
} satisfies Record<string, string | ((values: AdviceValues) => string)>;

/** Stable: the console and other clients translate by them (docs/adr/0090-codes-beside-texts.md). */
export type AdviceCode = keyof typeof texts;

export const adviceCodes = Object.keys(texts) as AdviceCode[];

export function adviceText({ code, values }: Advice): string {
  const text: string | ((values: AdviceValues) => string) = texts[code];
  return typeof text === 'string' ? text : text(values);
}

export function isAdviceCode(code: string): code is AdviceCode {
  return Object.hasOwn(texts, code);
}
