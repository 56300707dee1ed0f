import { deviceListKey, deviceSeenKey } from '../table/device.ts';
import * as entities from '../table/entity.ts';
import { expiryIndexKey } from '../table/expiry.ts';
import { membershipIndexKey, placeListKey, roomListKey } from '../table/place.ts';
import { formOf, optionalEnd, sample } from './key-form.ts';
import type { Gsi1Key, Gsi2Key } from '../table/key.ts';
import type { KeyFamily, KeyIndex } from './key-family.ts';

const { time, shard } = sample;
const name = '<collated name>';
const entity = { type: '<type>', id: '<id>' };
const other = { type: '<other type>', id: '<other id>' };
const search = '<search>';
const membership = { place: '<place>', device: '<device>', since: time };

type IndexForm = Omit<KeyFamily, 'index' | 'pk' | 'sk'> & {
  /** Parts of a key of the index. */
  key: Partial<Gsi1Key & Gsi2Key>;
  /** A key of the same family with further segments. */
  longer?: Partial<Gsi1Key & Gsi2Key>;
};

const lists: IndexForm[] = [
  {
    name: 'deviceList',
    key: deviceListKey(shard, name, '<device>'),
    kinds: ['device'],
    meaning: 'The list of devices by name.',
    writtenBy: ['ingestion', 'registry'],
  },
  {
    name: 'deviceSeen',
    key: deviceSeenKey(shard, time, '<device>'),
    kinds: ['device'],
    meaning: 'The list of devices by the time when they were last seen.',
    writtenBy: ['ingestion', 'registry'],
  },
  {
    name: 'placeList',
    key: placeListKey(shard, name, '<place>'),
    kinds: ['place'],
    meaning: 'The list of places by name.',
    writtenBy: ['registry'],
  },
  {
    name: 'roomList',
    key: roomListKey(shard, name, '<place>', '<room>'),
    kinds: ['room'],
    meaning: 'The list of rooms by name.',
    writtenBy: ['registry'],
  },
  {
    name: 'membershipsOfDevice',
    key: membershipIndexKey(membership),
    longer: membershipIndexKey({ ...membership, room: '<room>' }),
    kinds: ['membership'],
    meaning: 'The places and rooms of a device, in order of time.',
    writtenBy: ['registry'],
  },
];

const ofCatalog: IndexForm[] = [
  {
    name: 'entityList',
    key: entities.entityListKey(shard, entity),
    kinds: ['entity'],
    meaning: 'The entities of a type by id; ULIDs are in the order of creation.',
    writtenBy: ['catalog'],
  },
  {
    name: 'relationsToEntity',
    key: entities.relationKey(other, entity),
    kinds: ['relation'],
    meaning: 'The relations that lead to an entity.',
    writtenBy: ['catalog'],
  },
  {
    name: 'search',
    key: entities.attributeIndexKey(shard, { entity, search }, ['<values>…']),
    kinds: ['attributeRow', 'entity'],
    meaning: 'A search or ranking of a type, by the encoded values.',
    writtenBy: ['catalog'],
  },
  {
    name: 'rankingWithin',
    key: {
      ...entities.attributeIndexKey(shard, { entity, search }, ['<values>…']),
      gsi2pk: entities.attributePartition(shard, entity.type, '<ranking>', { within: '<parent>' }),
    },
    kinds: ['attributeRow', 'entity'],
    meaning: 'A ranking among the entities that one parent entity has.',
    writtenBy: ['catalog'],
  },
  {
    name: 'rankingOfPeriod',
    key: {
      ...entities.attributeIndexKey(shard, { entity, search }, ['<values>…']),
      gsi2pk: entities.attributePartition(shard, entity.type, '<ranking>', {
        within: '<parent>',
        period: '<period>',
      }),
    },
    kinds: ['attributeRow', 'entity'],
    meaning: 'A ranking of one day, week or month; without a parent, its segment is empty.',
    writtenBy: ['catalog'],
  },
  {
    name: 'textChanges',
    key: entities.textChangeKey(shard, time, entity),
    kinds: ['textRow'],
    meaning: 'The texts by the time of their last change, from which full-text indexes are built.',
    writtenBy: ['catalog'],
  },
  {
    name: 'textRebuild',
    key: {
      ...entities.textChangeKey(shard, time, entity),
      gsi2sk: entities.textChangesFrom(time),
    },
    kinds: ['catalogTask'],
    meaning: 'The request to rebuild the full-text indexes, in shard 0.',
    writtenBy: ['catalog'],
  },
  {
    name: 'leftOutOfType',
    key: entities.leftOutKey(entity),
    kinds: ['leftOutRow'],
    meaning: 'The entities of a type that searches omit.',
    writtenBy: ['catalog'],
  },
  {
    name: 'expiries',
    key: expiryIndexKey(shard, time, entity),
    kinds: ['expiryRow'],
    meaning: 'The entities that expire, by the instant.',
    writtenBy: ['catalog'],
  },
];

/** The families of the keys of the two indexes. */
export const indexFamilies: readonly KeyFamily[] = [...lists, ...ofCatalog].map(
  ({ key, longer = key, ...family }) => {
    // A relation's key has the keys of the table, too.
    const index: KeyIndex = key.gsi1pk === undefined ? 'gsi2' : 'gsi1';
    const [pk, sk] = [`${index}pk` as const, `${index}sk` as const];
    const form = (name: typeof pk | typeof sk) =>
      optionalEnd(formOf(textOf(key, name)), formOf(textOf(longer, name)));
    return { ...family, index, pk: form(pk), sk: form(sk) };
  },
);

function textOf(key: IndexForm['key'], name: keyof IndexForm['key']): string {
  const text = key[name];
  if (text === undefined) throw new TypeError(`a key of an index family has ${name}`);
  return text;
}
