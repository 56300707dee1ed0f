import {
  deviceItem,
  nameAttributes,
  parseDevice,
  readingPartitions,
  seenAttributes,
} from './device.ts';
import { kindOf } from './kind.ts';
import type { Device } from './device.ts';

const device: Device = {
  id: '居間-1',
  name: 'ｻｰﾓ 1',
  kind: 'climate',
  status: 'pending',
  registeredAt: 1_795_131_000_000,
  lastSeenAt: 1_795_131_060_000,
  span: 64,
  version: 3,
};
const shards = { list: 1, seen: 1 };

describe('a device item', () => {
  it('returns the device', () => {
    expect(parseDevice(deviceItem(device, shards))).toEqual(device);
  });

  it('returns labels and metadata, and nothing where they are empty', () => {
    const described = { ...device, labels: { constructor: 'x' }, metadata: '{"__proto__":1}' };
    expect(parseDevice(deviceItem(described, shards))).toEqual(described);
    const item = { ...deviceItem(device, shards), data: { labels: { b: '1', c: '', a: '2' } } };
    expect(Object.keys(parseDevice(item).labels ?? {})).toEqual(['a', 'b', 'c']);
    const emptied = { ...device, labels: {}, metadata: '{}' };
    expect(parseDevice(deviceItem(emptied, shards))).toEqual(device);
  });

  it('is in the list by name and the list by last seen, and each key can change alone', () => {
    expect(deviceItem(device, shards)).toMatchObject({
      ...nameAttributes(device.id, device.name, shards),
      ...seenAttributes(device.id, device.lastSeenAt, shards),
    });
    expect(nameAttributes('d', 'Living', shards)).toEqual({
      name: 'Living',
      gsi1pk: 'LIST#DEVICE#0',
      gsi1sk: 'living#d',
    });
    expect(seenAttributes('d', 0, shards)).toEqual({
      lastSeenAt: 0,
      gsi2pk: 'SEEN#DEVICE#0',
      gsi2sk: '1970-01-01T00:00:00.000Z#d',
    });
  });

  it('is rejected when the item is not a device', () => {
    expect(() => parseDevice({ pk: 'PLACE#1' })).toThrow('not a device: PLACE#1');
  });
});

describe('the partition keys of readings', () => {
  const grown = [
    { since: 2000, count: 2, from: 0 },
    { since: 1000, count: 4, from: 0 },
    { since: 3000, count: 2, from: 0 },
  ];

  it.each([
    ['a device that was never hot', [], Infinity, ['']],
    ['the time before the first growth', grown, 999, ['']],
    ['a time, with the largest number until then', grown, 2500, ['', '#1', '#2', '#3']],
    ['all times', grown, undefined, ['', '#1', '#2', '#3']],
  ])('are those of %s', (_, shards, until, keys) => {
    const partitions = readingPartitions({ id: 'd', shards }, until);
    expect(partitions).toEqual(keys.map((shard) => `DEVICE#d${shard}`));
  });

  it('are one key without shards', () => {
    expect(readingPartitions(device)).toEqual(['DEVICE#居間-1']);
  });
});

describe('the kind of a device', () => {
  it.each([
    [{ energyImport: 1, power: 2 }, 'meter'],
    [{ battery: 97, contact: 'open' }, 'contact'],
    [{ humidity: 48 }, 'climate'],
    [{ constructor: 1 }, 'other'],
    [{ 'switch:1.power': 1, 'switch:1.output': true }, 'meter'],
    [{ 'input:2.action': 'single_push' }, 'button'],
    [{ 'BME280.temperature': 20 }, 'climate'],
    [{ power: 'ON' }, 'other'],
    [{ power: true, battery: 100 }, 'other'],
    [{ power: null, temperature: '21,5' }, 'other'],
    [{ action: 'cooling', temperature: 26 }, 'climate'],
    [{ action: null, contact: null }, 'other'],
    [{ 'update.action': 'none', 'a.b.power': 1, 'AM2301.Temperature': 70 }, 'other'],
  ])('that reports %j is %s', (fields, kind) => {
    expect(kindOf(fields as never)).toBe(kind);
  });
});
