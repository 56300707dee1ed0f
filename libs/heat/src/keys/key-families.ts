import type { PartitionKind } from './partition-kind.ts';

/** A key family in words (docs/reference/table.md). */
export interface KeyFamily {
  /** The form of its keys. */
  keys: string;
  description: string;
  /** The services that write it, in a sentence. */
  writtenBy: string;
  /** Whether more shards can share its load. */
  isSharded: boolean;
}

const family = (keys: string, description: string, writtenBy: string, isSharded = false) => ({
  keys,
  description,
  writtenBy,
  isSharded,
});

export const keyFamilies: Readonly<Record<PartitionKind, KeyFamily>> = {
  device: family(
    'DEVICE#…',
    'One device: its readings, rollups and corrections.',
    'ingestion (readings), query (rollups), registry',
    true,
  ),
  list: family(
    'LIST#… of gsi1',
    'A list sorted by name: devices, places, rooms, or the entities of one type.',
    'registry, catalog (entities), ingestion (new devices)',
    true,
  ),
  seen: family(
    'SEEN#DEVICE#… of gsi2',
    'The list of devices by the time when they were last seen.',
    'ingestion',
    true,
  ),
  attribute: family('A#… of gsi2', 'A search or ranking of one entity type.', 'catalog', true),
  text: family(
    'CHANGED#TEXT#… of gsi2',
    'The list of texts by the time of their last change; full-text indexes are built from it.',
    'catalog',
    true,
  ),
  expiry: family(
    'EXPIRES#E#… of gsi2',
    'The entities that expire, by their instant.',
    'catalog',
    true,
  ),
  relations: family('E#… of gsi1', 'The relations that lead to one entity.', 'catalog'),
  memberships: family(
    'DEVICE#… of gsi1',
    'The placement history of one device: its places and rooms.',
    'registry',
  ),
  entity: family('E#…', 'One entity, with its attributes, texts and relations.', 'catalog'),
  uniqueValue: family(
    'UNIQUE#…',
    'One value of a unique attribute of an entity type: which entity has it.',
    'catalog',
  ),
  place: family(
    'PLACE#…',
    'One place, with its rooms and the devices in it.',
    'registry, ingestion (last events)',
  ),
  room: family('ROOM#…', 'The devices that are or were in one room or place.', 'registry'),
  deadLetters: family('DLQ#…', 'The dead letters of one day.', 'ingestion'),
  parkedBlocks: family(
    'PARKED#…',
    "Readings of throttled devices, until they are moved to their device's key.",
    'ingestion',
  ),
  types: family('TYPE', 'The entity types.', 'catalog'),
  shardMap: family(
    'SHARDS',
    'The shard map: how many shards each family has.',
    'ingestion, registry, catalog',
  ),
  unknown: family(
    'others',
    'Internal records, such as sessions, deletions and tasks; or a key that Engawa does not know.',
    'any service',
  ),
};

/** All kinds of partition keys. */
export const partitionKinds = Object.keys(keyFamilies) as PartitionKind[];
