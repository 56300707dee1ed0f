import fc from 'fast-check';
import { items } from '../../test/any-key.ts';
import * as keys from '../index.ts';
import type { KeyIndex } from './key-family.ts';

const { tableFamilies } = keys;
const song = { type: 'Song', id: 'song#1' };
const member = { place: 'home', device: 'a', since: 0 };
const row = { entity: song, search: 'byTitle' };
const week = { period: '2026-W48' };

function familiesOf(index: KeyIndex, pk: string, sk: string): string[] {
  const matching = tableFamilies.filter((family) => keys.isKeyOf(family, { index, pk, sk }));
  return matching.map(({ name }) => name);
}

describe('the key families', () => {
  it('have exactly one family for every key of an item, of its kind', () => {
    const found = new Set<string>();
    fc.assert(
      fc.property(items, ({ key, parsed }) => {
        const families = tableFamilies.filter((family) =>
          keys.isKeyOf(family, { index: 'table', ...key }),
        );
        expect(families.map(({ kinds }) => kinds)).toEqual([[parsed.item]]);
        found.add(families[0]?.name ?? '');
      }),
      { numRuns: 1000 },
    );
    expect(found.size).toBeGreaterThan(15);
  });

  it.each<[string, KeyIndex, object]>([
    ['deviceList', 'gsi1', keys.deviceListKey(3, 'Hall #1', 'a#b')],
    ['placeList', 'gsi1', keys.placeListKey(0, '', 'home')],
    ['roomList', 'gsi1', keys.roomListKey(0, 'Hall', 'home', 'hall')],
    ['entityList', 'gsi1', keys.entityListKey(12, song)],
    ['deviceSeen', 'gsi2', keys.deviceSeenKey(0, 0, 'DEVICE')],
    ['expiries', 'gsi2', keys.expiryIndexKey(0, 0, song)],
    ['textChanges', 'gsi2', keys.textChangeKey(0, 0, song)],
    ['search', 'gsi2', keys.attributeIndexKey(0, row, ['a', 'b'])],
    [
      'rankingWithin',
      'gsi2',
      [keys.attributePartition(0, 'Song', 'byYear', { within: 'album' }), '1#song'],
    ],
    ['rankingOfPeriod', 'gsi2', [keys.attributePartition(0, 'Song', 'byYear', week), '1#song']],
    [
      'rankingOfPeriod',
      'gsi2',
      [keys.attributePartition(0, 'Song', 'byYear', { ...week, within: 'album' }), '1#song'],
    ],
    ['leftOutOfType', 'gsi2', [keys.leftOutPartition('Song'), 'song']],
    ['relationsToEntity', 'gsi1', [keys.entityPartition(song), 'R#Album#low']],
    ['membershipsOfDevice', 'gsi1', keys.membershipIndexKey(member)],
    ['membershipsOfDevice', 'gsi1', keys.membershipIndexKey({ ...member, room: 'hall' })],
  ])('have the family %s of %s %j', (name, index, key) => {
    const [pk = '', sk = ''] = Object.values(key) as string[];
    expect(familiesOf(index, pk, sk)).toEqual([name]);
  });

  it.each([
    ['table', 'OTHER#1', 'OTHER#1'],
    ['table', 'DEVICE', 'DEVICE'],
    ['table', 'DEVICE#a#b', '#TS#x#y'],
    ['gsi2', 'LIST#DEVICE#0', 'a#b'],
    ['gsi1', 'LIST#DEVICE#x', 'a#b'],
    ['gsi1', 'LIST#DEVICE', 'a#b'],
  ] as const)('have none of %s %s %s', (index, pk, sk) => {
    expect(familiesOf(index, pk, sk)).toEqual([]);
  });

  it('have names of their own, and kinds that keys are parsed to', () => {
    const names = tableFamilies.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { pk, sk } of tableFamilies) {
      for (const form of [pk, sk]) expect(form).not.toMatch(/undefined|\d{2}/);
    }
  });
});
