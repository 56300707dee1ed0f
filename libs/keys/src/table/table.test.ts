import fc from 'fast-check';
import { byteLength, compareBytes } from '../byte-order.ts';
import { id, items, time } from '../../test/any-key.ts';
import * as keys from '../index.ts';
import type { Key } from './key.ts';

const text = (key: Key): string => JSON.stringify([key.pk, key.sk]);

describe('the keys of the table', () => {
  it('are parsed to their items', () => {
    fc.assert(
      fc.property(items, ({ key, parsed }) => expect(keys.parseKey(key)).toEqual(parsed)),
      { numRuns: 1000 },
    );
  });

  it('are never shared by two items', () => {
    fc.assert(
      fc.property(items, items, (left, right) => {
        expect(text(left.key) === text(right.key)).toBe(
          JSON.stringify(left.parsed) === JSON.stringify(right.parsed),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('fit for any ids', () => {
    const long = '界'.repeat(128);
    const other = { type: long, id: long };
    const name = '\ufdfa'.repeat(256);
    for (const { pk, sk } of [
      keys.membershipKey({ place: long, room: long, device: long, since: 0 }),
      keys.relationKey(other, other),
      keys.birthKey({ node: long, device: long, timestamp: 0 }),
    ]) {
      expect(byteLength(pk)).toBeLessThanOrEqual(2048);
      expect(byteLength(sk)).toBeLessThanOrEqual(1024);
    }
    expect(byteLength(keys.deviceListKey(63, name, long).gsi1sk)).toBeLessThanOrEqual(1024);
    expect(keys.decodeTuple(keys.roomListKey(0, name, long, long).gsi1sk).slice(1)).toEqual([
      long,
      long,
    ]);
  });

  it('name the field that is too long or invalid', () => {
    const row = { entity: { type: 'Song', id: '1' }, search: 'title' };
    expect(() => keys.attributeIndexKey(0, row, ['x'.repeat(1100)])).toThrow(
      'title: makes a key of 1102 bytes',
    );
    expect(() => keys.deviceKey('a\u0000')).toThrow('device: has a control character');
    expect(() => keys.deadLetterPartition('2026-13-01', 0)).toThrow('day: is not a date');
  });

  it.each([
    { pk: 'OTHER#1', sk: 'x' },
    { pk: 'DEVICE#1', sk: 'ROOM#1' },
    { pk: 'constructor', sk: 'x' },
    { pk: 'DEVICE#1', sk: '#TS#yesterday#00' },
  ])('are not parsed from %j', (key) => {
    expect(() => keys.parseKey(key)).toThrow(keys.KeyError);
  });
});

describe('a device', () => {
  it('read backwards gives the device, then its readings from the newest, then its rollups', () => {
    fc.assert(
      fc.property(id, time, time, (device, first, second) => {
        const [older, newer] = [Math.min(first, second), Math.max(first, second) + 1];
        const backwards = [
          keys.deviceKey(device),
          keys.blockKey({ device, newest: newer, name: 'a' }),
          keys.blockKey({ device, newest: older, name: 'z' }),
          keys.rollupKey(device, 'PT1H', newer),
        ].map(({ sk }) => sk);
        expect(backwards.toSorted(compareBytes).reverse()).toEqual(backwards);
      }),
    );
  });

  it('has its corrections between its rollups and its readings, separate from both', () => {
    fc.assert(
      fc.property(id, id, time, (device, correction, at) => {
        const { sk } = keys.correctionKey(device, correction);
        const rollups = keys.rollupRange('PT1H', keys.earliestInstant, keys.latestInstant);
        const blocks = keys.blockRange(keys.earliestInstant, keys.latestInstant);
        expect(sk.startsWith(keys.correctionPrefix)).toBe(true);
        expect(compareBytes(sk, rollups.to)).toBeGreaterThan(0);
        expect(compareBytes(sk, blocks.from)).toBeLessThan(0);
        expect(keys.rollupKey(device, 'PT1H', at).sk.startsWith(keys.correctionPrefix)).toBe(false);
      }),
    );
  });

  it('has the rows of its corrections by class and time, separate from the corrections', () => {
    fc.assert(
      fc.property(id, id, id, time, (device, correction, length, from) => {
        const { sk } = keys.correctionRowKey({ device, correction, length, from });
        const isIn = (range: keys.SortKeyRange) =>
          compareBytes(sk, range.from) >= 0 && compareBytes(sk, range.to) <= 0;
        const ranges = [
          keys.correctionRowRange(length, from, from + 1),
          keys.correctionRowRange(length, from - 1, from),
          keys.correctionRowRange(length, from + 1, from + 2),
          keys.correctionRowRange(`${length} `, from, from + 1),
          keys.blockRange(keys.earliestInstant, keys.latestInstant),
        ];
        expect(ranges.map(isIn)).toEqual([true, false, false, false, false]);
        expect(sk.startsWith(keys.correctionAndRowPrefix)).toBe(true);
        expect(sk.startsWith(keys.correctionPrefix)).toBe(false);
      }),
    );
  });

  it('has a range of blocks with its start and without its end', () => {
    const range = keys.blockRange(1000, 2000);
    const inside = (newest: number): boolean => {
      const { sk } = keys.blockKey({ device: 'd', newest, name: 'z' });
      return compareBytes(sk, range.from) >= 0 && compareBytes(sk, range.to) <= 0;
    };
    expect([999, 1000, 1999, 2000].map(inside)).toEqual([false, true, true, false]);
  });

  it('is found by a prefix of its name, in any case and width', () => {
    const { gsi1sk } = keys.deviceListKey(0, 'サーモ Living', 'd1');
    expect(gsi1sk.startsWith(keys.namePrefix('ｻｰﾓ l'))).toBe(true);
    expect(gsi1sk.startsWith(keys.namePrefix('living'))).toBe(false);
  });
});

describe('a birth', () => {
  it('is sorted after the earlier ones of its device, separate from other devices', () => {
    fc.assert(
      fc.property(id, id, id, time, (node, device, other, timestamp) => {
        const [first, second] = [timestamp, timestamp + 1].map(
          (at) => keys.birthKey({ node, device, timestamp: at }).sk,
        );
        expect(compareBytes(first ?? '', second ?? '')).toBe(-1);
        expect(first?.startsWith(keys.birthPrefix(device))).toBe(true);
        expect(first?.startsWith(keys.deviceBirthsPrefix)).toBe(true);
        expect(first?.startsWith(keys.birthPrefix(other))).toBe(other === device);
        const { sk } = keys.birthKey({ node, timestamp });
        expect(sk.startsWith(keys.birthPrefix())).toBe(true);
        expect(sk.startsWith(keys.deviceBirthsPrefix)).toBe(false);
      }),
    );
  });
});

describe('a relation', () => {
  it('is found by type forward and backward, without entities of other types', () => {
    const key = keys.relationKey({ type: 'Album', id: '1' }, { type: 'Song', id: '2' });
    expect(key.sk.startsWith(keys.relationPrefix('Song'))).toBe(true);
    expect(key.sk.startsWith(keys.relationPrefix('So'))).toBe(false);
    expect(key.gsi1pk).toBe(keys.entityPartition({ type: 'Song', id: '2' }));
    expect(key.gsi1sk.startsWith(keys.relationPrefix('Album'))).toBe(true);
  });
});
