import fc from 'fast-check';
import { blockItem, blockReadings, blockSpanOf } from './block.ts';
import { parseNumber } from '../values/decimal.ts';
import { itemSize } from '../values/item-size.ts';
import { maxBlockSpanMs, packReadings, readingUnits } from './pack-readings.ts';
import { sortedUnique } from './sort-readings.ts';
import type { Fields, FieldValue, Reading } from './reading.ts';

const value: fc.Arbitrary<FieldValue> = fc.oneof(
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 })
    .map((n) => (n === 0 ? 0 : n)),
  fc.bigInt({ min: 10n ** 30n, max: 10n ** 37n }).map((n) => parseNumber(String(n))),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.boolean(),
  fc.constant(null),
);
const fieldName = fc.constantFrom(
  'temperature',
  'humidity',
  'pk',
  'ttl',
  'constructor',
  '温度',
  'a.b',
);
const start = Date.parse('2026-11-20T00:00:00Z');
const reading: fc.Arbitrary<Reading> = fc.record({
  time: fc.integer({ min: start, max: start + 3 * maxBlockSpanMs }),
  fields: fc.dictionary(fieldName, value, { minKeys: 1, noNullPrototype: true }),
});
const readings = fc.array(reading, { minLength: 1, maxLength: 60 });

const blocksOf = (all: Reading[]) =>
  packReadings('thermo-1', all).map((pack) => ({
    pack,
    item: blockItem({ device: 'thermo-1', readings: pack }),
  }));

describe('packing', () => {
  it('returns every reading once, with exact numbers', () => {
    fc.assert(
      fc.property(readings, (all) => {
        const back = blocksOf([...all, ...all]).flatMap(({ item }) => blockReadings(item));
        expect(back.map(({ time, fields }) => ({ time, fields }))).toEqual(sortedUnique(all));
      }),
    );
  });

  it('keeps a block of several readings within 1 KB and one hour', () => {
    fc.assert(
      fc.property(readings, (all) => {
        for (const { pack, item } of blocksOf(all)) {
          if (pack.length === 1) continue;
          expect(itemSize({ ...item, ttl: 1_800_000_000 })).toBeLessThanOrEqual(1024);
          expect(item.offsets[0]).toBeLessThanOrEqual(maxBlockSpanMs);
        }
      }),
    );
  });

  it('does not depend on the order of readings of different times', () => {
    const different = fc.uniqueArray(reading, {
      minLength: 1,
      maxLength: 60,
      selector: (one) => one.time,
    });
    fc.assert(
      fc.property(different, (all) => {
        expect(blocksOf(all.toReversed()).map(({ item }) => item)).toEqual(
          blocksOf(all).map(({ item }) => item),
        );
      }),
    );
  });

  it('packs one reading a minute of a thermometer for an hour into 1 KB', () => {
    const hour = Array.from({ length: 60 }, (_, minute) => ({
      time: start + minute * 60_000,
      fields: { temperature: 20 + minute / 10, humidity: 48 },
    }));
    expect(packReadings('thermo-1', hour)).toHaveLength(1);
  });

  it('distinguishes values that have the same text', () => {
    const time = start;
    const different: Fields[] = [
      { x: 1 },
      { x: '1' },
      { x: null },
      { y: null },
      { x: true },
      { x: parseNumber('1.00000000000000000001') },
    ];
    const keys = different.map(
      (fields) => blockItem({ device: 'd', readings: [{ time, fields }] }).sk,
    );
    expect(new Set(keys).size).toBe(different.length);
  });
});

describe('the span of a block', () => {
  it.each([
    [0, 0],
    [1, 1],
    [1000, 1],
    [1001, 2],
    [59 * 60_000, 4096],
    [maxBlockSpanMs, 4096],
  ])('of %d ms needs %d s', (milliseconds, seconds) => {
    const ends = [start, start + milliseconds].map((time) => ({ time, fields: {} }));
    expect(blockSpanOf(ends)).toBe(seconds);
  });
});

describe('the size of an item', () => {
  // Developer guide: names and strings count their UTF-8 bytes, numbers one byte per two digits plus one.
  it.each([
    [{ pk: 'abc' }, 5],
    [{ n: 12.5 }, 1 + 3],
    [{ n: -1000 }, 1 + 3],
    [{ n: 0 }, 1 + 1],
    [{ 名: '居間' }, 3 + 6],
    [{ b: true, z: null }, 2 + 2],
    [{ l: [1, 'ab'] }, 1 + 3 + 1 + 2 + 1 + 2],
    [{ m: { a: 1 } }, 1 + 3 + 1 + 1 + 2],
    [{ d: new Uint8Array(7) }, 1 + 7],
    [{ d: parseNumber('12345678901234567890') }, 1 + 11],
  ])('of %j is %d bytes', (item, bytes) => {
    expect(itemSize(item)).toBe(bytes);
  });
});

describe('the write units of readings', () => {
  const taken = (device: string, all: Reading[]) =>
    packReadings(device, all)
      .map((pack) => itemSize({ ...blockItem({ device, readings: pack }), ttl: 1_800_000_000 }))
      .reduce((sum, bytes) => sum + Math.ceil(bytes / 1024), 0);
  const readingsOf = (bytes: number, count: number): Reading[] =>
    Array.from({ length: count }, (_, index) => ({
      time: start + index,
      fields: { text: 'x'.repeat(bytes) },
    }));

  it.each(['d', 'd'.repeat(100), '居間'.repeat(40)])(
    'are estimated within the tolerance: %s',
    (device) => {
      for (const bytes of [0, 10, 100, 300, 500, 800, 900, 950, 1000, 1500, 5000]) {
        const all = readingsOf(bytes, 200);
        const ratio = readingUnits(device, all) / taken(device, all);
        // In a block of many small readings, each reading counts the names of its fields.
        expect([bytes, ratio > 0.9 && ratio < (bytes < 100 ? 4 : 1.6)]).toEqual([bytes, true]);
      }
    },
  );

  it('are above zero for an empty list of readings', () => {
    expect(readingUnits('d', [])).toBeGreaterThan(0);
  });
});
