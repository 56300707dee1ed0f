import fc from 'fast-check';
import { id as checkedId } from '../src/segments/text.ts';
import * as keys from '../src/index.ts';

export const time = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2100-01-01') });
export const id = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.constantFrom(
      '#',
      '$',
      '$S',
      'DEVICE',
      'a#b',
      'a',
      'b',
      'constructor',
      '__proto__',
      '\u{1f3e0}'.repeat(64),
    ),
  )
  .map((text) => text.normalize('NFC'))
  .filter((text) => {
    try {
      return checkedId('id', text) === text;
    } catch {
      return false;
    }
  });
const ulid = fc.ulid();
const entity = fc.record({ type: id, id });
const shard = fc.nat(63);

/** Every kind of item: its key, and the expected result of parsing it. */
export const items = fc.oneof(
  id.map((device) => ({ key: keys.deviceKey(device), parsed: { item: 'device', device } })),
  fc.record({ device: id, shard, newest: time, name: ulid }).map((block) => ({
    key: keys.blockKey(block),
    parsed: { item: 'block', ...block },
  })),
  fc.record({ device: id, newest: time, hash: ulid }).map((block) => {
    const key = keys.parkedBlockKey(block);
    const shard = keys.shardOf(block.hash, keys.parkedShards);
    return { key, parsed: { item: 'parkedBlock', shard, ...block } };
  }),
  fc.record({ device: id, start: time }).map(({ device, start }) => ({
    key: keys.rollupKey(device, 'PT1H', start),
    parsed: { item: 'rollup', device, width: 'PT1H', start },
  })),
  fc.tuple(id, id).map(([device, correction]) => ({
    key: keys.correctionKey(device, correction),
    parsed: { item: 'correction', device, correction },
  })),
  fc
    .record({ device: id, correction: id, length: fc.constantFrom('P1D', 'ANY'), from: time })
    .map((row) => ({ key: keys.correctionRowKey(row), parsed: { item: 'correctionRow', ...row } })),
  id.map((place) => ({ key: keys.placeKey(place), parsed: { item: 'place', place } })),
  fc.tuple(id, id).map(([place, room]) => ({
    key: keys.roomKey(place, room),
    parsed: { item: 'room', place, room },
  })),
  fc.tuple(id, id).map(([place, device]) => ({
    key: keys.placementKey(place, device),
    parsed: { item: 'placement', place, device },
  })),
  fc.tuple(id, id, id, time).map(([place, room, device, since]) => ({
    key: keys.membershipKey({ place, room, device, since }),
    parsed: { item: 'membership', place, room, device, since },
  })),
  fc.tuple(id, id, time).map(([place, device, since]) => ({
    key: keys.membershipKey({ place, device, since }),
    parsed: { item: 'membership', place, device, since },
  })),
  fc.tuple(id, id).map(([place, room]) => ({
    key: keys.purgeJobKey('ROOM', place, room),
    parsed: { item: 'purgeJob', kind: 'ROOM', ids: [place, room] },
  })),
  id.map((clientId) => ({ key: keys.sessionKey(clientId), parsed: { item: 'session', clientId } })),
  id.map((type) => ({ key: keys.entityTypeKey(type), parsed: { item: 'entityType', type } })),
  entity.map((name) => ({ key: keys.entityKey(name), parsed: { item: 'entity', ...name } })),
  fc.tuple(entity, entity).map(([from, to]) => {
    const { pk, sk } = keys.relationKey(from, to);
    return {
      key: { pk, sk },
      parsed: { item: 'relation', ...from, otherType: to.type, otherId: to.id },
    };
  }),
  fc.tuple(entity, id).map(([name, search]) => ({
    key: keys.attributeRowKey({ entity: name, search }),
    parsed: { item: 'attributeRow', ...name, search },
  })),
  fc.tuple(time, shard, ulid, fc.nat(9999)).map(([at, where, letter, part]) => {
    const day = new Date(at).toISOString().slice(0, 10);
    return {
      key: keys.deadLetterKey(day, where, letter, part),
      parsed: { item: 'deadLetter', day, shard: where, letter, part },
    };
  }),
  time.map((at) => {
    const day = new Date(at).toISOString().slice(0, 10);
    return { key: keys.deadLettersSpreadKey(day), parsed: { item: 'deadLettersSpread', day } };
  }),
  fc.tuple(time, fc.stringMatching(/^[\w-]{22}$/), ulid).map(([at, hash, letter]) => {
    const day = new Date(at).toISOString().slice(0, 10);
    return {
      key: keys.deadLetterDeliveryKey(day, hash, letter),
      parsed: { item: 'deadLetterDelivery', day, hash, letter },
    };
  }),
  fc.record({ node: id, device: id, timestamp: time }).map((birth) => ({
    key: keys.birthKey(birth),
    parsed: { item: 'birth', ...birth },
  })),
  fc.record({ node: id, timestamp: time }).map((birth) => ({
    key: keys.birthKey(birth),
    parsed: { item: 'birth', ...birth },
  })),
  id.map((type) => ({
    key: keys.shardMapKey(['LIST', 'E', type]),
    parsed: { item: 'shardMap', family: ['LIST', 'E', type] },
  })),
);
