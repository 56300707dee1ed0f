import { birthKey } from '../table/birth.ts';
import {
  deadLetterDeliveryKey,
  deadLetterKey,
  deadLettersSpreadKey,
} from '../table/dead-letter.ts';
import {
  blockKey,
  correctionKey,
  correctionRowKey,
  deviceKey,
  rollupKey,
} from '../table/device.ts';
import * as entities from '../table/entity.ts';
import { expiryKey } from '../table/expiry.ts';
import { parkedBlockKey } from '../table/parked-block.ts';
import { membershipKey, placeKey, placementKey, roomKey } from '../table/place.ts';
import { purgeJobKey } from '../table/purge-job.ts';
import { sessionKey } from '../table/session.ts';
import { shardMapKey } from '../table/shard-map.ts';
import { uniqueValueKey } from '../table/unique-value.ts';
import { formOf, optionalEnd, sample } from './key-form.ts';
import type { Key } from '../table/key.ts';
import type { PurgeJobKind } from '../table/purge-job.ts';
import type { ItemKind, KeyFamily, WritingService } from './key-family.ts';

const { time, day, shard, ulid, part } = sample;
const device = '<device>';
const place = '<place>';
const entity = { type: '<type>', id: '<id>' };
const other = { type: '<other type>', id: '<other id>' };
const node = '<group/node>';
const hash = '<hash>';
const name = '<name>';

interface ItemForm {
  key: Key;
  /** A key of the same kind with further segments in `pk`, in `sk` or in both. */
  longer?: Key;
  /** By default the name of the family. */
  kind?: ItemKind;
  meaning: string;
  writtenBy: readonly WritingService[];
}

const ofDevices = {
  device: {
    key: deviceKey(device),
    meaning:
      'A device: its name, kind, placement and last-seen time; or its tombstone after a deletion.',
    writtenBy: ['ingestion', 'registry'],
  },
  block: {
    key: blockKey({ device, newest: time, name }),
    longer: blockKey({ device, shard, newest: time, name }),
    meaning:
      'A block of readings of a device, by the time of its newest reading and the order of receipt.',
    writtenBy: ['ingestion'],
  },
  parkedBlock: {
    key: parkedBlockKey({ device, newest: time, hash }),
    meaning: 'A block of a throttled device, until the key of the device accepts writes.',
    writtenBy: ['ingestion'],
  },
  rollup: {
    key: rollupKey(device, '<width>', time),
    meaning:
      'The sums of an hour or day of a device, and, with a width such as `SKETCH-PT1H`, the sketches for its percentiles.',
    writtenBy: ['query', 'ingestion'],
  },
  correction: {
    key: correctionKey(device, '<correction>'),
    meaning: 'A correction of readings of a device.',
    writtenBy: ['registry'],
  },
  correctionRow: {
    key: correctionRowKey({ device, correction: '<correction>', length: '<length>', from: time }),
    meaning: 'A copy of a correction, by its time, of a device with more than 100 corrections.',
    writtenBy: ['registry'],
  },
  place: {
    key: placeKey(place),
    meaning: 'A place; or its tombstone after a deletion.',
    writtenBy: ['registry'],
  },
  room: {
    key: roomKey(place, '<room>'),
    meaning: 'A room of a place; or its tombstone after a deletion.',
    writtenBy: ['registry'],
  },
  placement: {
    key: placementKey(place, device),
    meaning: 'A device that is at a place now, with its last event there.',
    writtenBy: ['registry', 'ingestion'],
  },
  membership: {
    key: membershipKey({ place, device, since: time }),
    longer: membershipKey({ place, room: '<room>', device, since: time }),
    meaning: 'The time since which a device is, or was, in a room, or at a place in any room.',
    writtenBy: ['registry'],
  },
  purgeJob: {
    key: purgeJobKey('<kind>' as PurgeJobKind, '<ids>…'),
    meaning: 'A deletion whose data is being purged.',
    writtenBy: ['registry'],
  },
} satisfies Partial<Record<ItemKind, ItemForm>>;

const ofMessages = {
  deadLetter: {
    key: deadLetterKey(day, shard, ulid),
    longer: deadLetterKey(day, shard, ulid, part),
    meaning:
      'A message that could not be stored, of a day (UTC); over 256 KB in several parts, over 2 MiB in several shards.',
    writtenBy: ['ingestion'],
  },
  deadLettersSpread: {
    key: deadLettersSpreadKey(day),
    meaning: "The marker that a day's dead letters are in more shards than the first.",
    writtenBy: ['ingestion'],
  },
  deadLetterDelivery: {
    key: deadLetterDeliveryKey(day, hash, ulid),
    meaning:
      'The record by which a message that the broker repeats is found among the dead letters, by the hash of its delivery.',
    writtenBy: ['ingestion'],
  },
  birth: {
    key: birthKey({ node, timestamp: time }),
    meaning: 'The metrics that a Sparkplug node has declared.',
    writtenBy: ['ingestion'],
  },
  birthOfDevice: {
    key: birthKey({ node, device, timestamp: time }),
    kind: 'birth',
    meaning: 'The metrics that a device of a Sparkplug node has declared.',
    writtenBy: ['ingestion'],
  },
  session: {
    key: sessionKey('<client id>'),
    meaning: 'The record that a client identifier has had a session at the broker.',
    writtenBy: ['ingestion'],
  },
  shardMap: {
    key: shardMapKey(['<family>…']),
    meaning:
      'The number of shards of a family of keys, since when; of `TABLE`, the id of the table.',
    writtenBy: ['ingestion', 'registry', 'catalog'],
  },
} satisfies Record<string, ItemForm>;

const ofCatalog = {
  entityType: { key: entities.entityTypeKey('<type>'), meaning: 'A type of entities.' },
  entityTypesMark: {
    key: entities.entityTypesMarkKey,
    meaning: 'The version of all types, raised by each change of a type.',
  },
  entity: { key: entities.entityKey(entity), meaning: 'An entity, or its tombstone.' },
  relation: {
    key: entities.relationKey(entity, other),
    meaning: 'The relations of an entity to one other entity.',
  },
  attributeRow: {
    key: entities.attributeRowKey({ entity, search: '<search>' }),
    longer: entities.attributeRowKey({ entity, search: '<search>', at: '' }),
    meaning:
      'The row by which one search, or one further ranking, finds an entity; one per member of a searched set.',
  },
  textRow: {
    key: entities.textRowKey(entity),
    meaning: 'The texts and filtered values of an entity, for the full-text index.',
  },
  leftOutRow: {
    key: entities.leftOutKey(entity),
    meaning: 'The searches that omit an entity, and its unconverted values.',
  },
  expiryRow: { key: expiryKey(entity), meaning: 'The instant at which an entity expires.' },
  uniqueValue: {
    key: uniqueValueKey({ type: '<type>', attribute: '<attribute>', value: '' }),
    meaning: 'The entity that owns a value of a unique attribute, by the SHA-256 of the value.',
  },
  catalogTask: {
    key: entities.catalogTaskKey('<kind>'),
    longer: entities.catalogTaskKey('<kind>', '<subjects>…'),
    meaning: 'A pending task of the catalog.',
  },
} satisfies Partial<Record<ItemKind, Omit<ItemForm, 'writtenBy'>>>;

const ofCatalogOnly: readonly WritingService[] = ['catalog'];

/** Complete: a kind of item without an entry does not compile. */
const forms: Record<ItemKind | 'birthOfDevice', Omit<ItemForm, 'writtenBy'> & Partial<ItemForm>> = {
  ...ofDevices,
  ...ofMessages,
  ...ofCatalog,
};

/** The families of the table's own keys: one for each kind of item, and one more for births. */
export const itemFamilies: readonly KeyFamily[] = Object.entries(forms).map(
  ([name, { key, longer = key, kind = name, meaning, writtenBy = ofCatalogOnly }]) => ({
    name,
    index: 'table' as const,
    pk: optionalEnd(formOf(key.pk), formOf(longer.pk)),
    sk: optionalEnd(formOf(key.sk), formOf(longer.sk)),
    kinds: [kind as ItemKind],
    meaning,
    writtenBy,
  }),
);
