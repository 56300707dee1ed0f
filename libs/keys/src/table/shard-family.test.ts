import fc from 'fast-check';
import * as keys from '../index.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((value) => {
  try {
    return keys.id('id', value) === value;
  } catch {
    return false;
  }
});
const shard = fc.nat(63);

describe('shardedPartition', () => {
  it('finds every family by any of its keys, under any name', () => {
    fc.assert(
      fc.property(text, text, shard, (type, search, number) => {
        const { shardedPartition } = keys;
        const cases = [
          ['gsi1', keys.deviceListPartition(number), 'list', keys.deviceListFamily],
          ['gsi1', keys.placeListPartition(number), 'list', keys.placeListFamily],
          ['gsi1', keys.roomListPartition(number), 'list', keys.roomListFamily],
          ['gsi1', keys.entityListPartition(number, type), 'list', keys.entityListFamily(type)],
          ['gsi2', keys.deviceSeenPartition(number), 'seen', keys.deviceSeenFamily],
          ['gsi2', keys.textChangePartition(number), 'text', keys.textChangeFamily],
          ['gsi2', keys.expiryPartition(number), 'expiry', keys.expiryFamily],
          [
            'gsi2',
            keys.attributePartition(number, type, search),
            'attribute',
            keys.attributeFamily(type, search),
          ],
          [
            'gsi2',
            keys.attributePartition(number, type, search, { within: type }),
            'attribute',
            keys.attributeFamily(type, search, type),
          ],
          [
            'gsi2',
            keys.attributePartition(number, type, search, { period: '2026-W48' }),
            'attribute',
            keys.attributeFamily(type, search),
          ],
          [
            'gsi2',
            keys.attributePartition(number, type, search, { within: type, period: '2026-W48' }),
            'attribute',
            keys.attributeFamily(type, search, type),
          ],
        ] as const;
        for (const [index, partition, kind, family] of cases) {
          expect(shardedPartition(index, partition)).toEqual({ kind, family, shard: number });
        }
        expect(shardedPartition('table', keys.devicePartition(type, number))).toEqual({
          kind: 'device',
          device: type,
          shard: number,
        });
      }),
    );
  });

  it('has a family for each parent of a ranking, if the name fits into the shard map', () => {
    const [type, search, parent] = ['型', '順', '親'].map((text) => text.repeat(128)) as [
      string,
      string,
      string,
    ];
    expect(keys.attributeFamily('t', 's', 'p')).toEqual(['A', 't', 's', 'p']);
    const family = keys.attributeFamily(type, search, parent);
    expect(family).toEqual(keys.attributeFamily(type, search));
    expect(() => keys.shardMapKey(family)).not.toThrow();
    expect(keys.familyLabel(keys.attributeFamily('t', 's', 'p'))).toBe('A#t#s');
    const partition = keys.attributePartition(3, type, search, { within: parent });
    expect(keys.shardedPartition('gsi2', partition)).toEqual({
      kind: 'attribute',
      family,
      shard: 3,
    });
  });

  it('has no shards for a key of another application', () => {
    fc.assert(
      fc.property(fc.constantFrom('table', 'gsi1', 'gsi2'), fc.string(), (index, partition) => {
        expect(keys.shardedPartition(index, `OTHER#${partition}`)).toBeUndefined();
        expect(() => keys.shardedPartition(index, partition)).not.toThrow();
      }),
    );
    const others = [
      '$',
      '$$',
      'DEVICE#$',
      'LIST#DEVICE#x',
      'LIST#DEVICE#640',
      'A#t#s#',
      'A#t#s#p#2026-11#x#0',
      '\ud800',
    ];
    for (const partition of others) {
      for (const index of ['table', 'gsi1', 'gsi2'])
        expect(keys.shardedPartition(index, partition)).toBeUndefined();
    }
  });

  it('has no shards for other keys', () => {
    fc.assert(
      fc.property(text, text, (type, id) => {
        const { shardedPartition } = keys;
        expect(shardedPartition('gsi1', keys.entityPartition({ type, id }))).toBeUndefined();
        expect(shardedPartition('table', keys.entityPartition({ type, id }))).toBeUndefined();
        expect(shardedPartition('gsi1', keys.deviceMembershipsPartition(id))).toBeUndefined();
        expect(shardedPartition('table', keys.placePartition(id))).toBeUndefined();
        expect(shardedPartition('table', keys.membersPartition(type, id))).toBeUndefined();
        expect(shardedPartition('table', keys.shardMapPartition)).toBeUndefined();
      }),
    );
  });
});
