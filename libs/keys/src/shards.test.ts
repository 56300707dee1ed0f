import fc from 'fast-check';
import { maxShards, shardCountAt, shardOf } from './shards.ts';

const count = fc.constantFrom(1, 2, 4, 8, 16, 32, maxShards);
const id = fc.string({ unit: 'grapheme' });

describe('shardOf', () => {
  it('is stable and below the count', () => {
    fc.assert(
      fc.property(id, count, (value, shards) => {
        const shard = shardOf(value, shards);
        expect(shard).toBe(shardOf(value, shards));
        expect(shard >= 0 && shard < shards).toBe(true);
      }),
    );
    // A fixed value, because items are stored under it: it must never change.
    expect(['thermo-1', 'thermo-2', '居間-1'].map((value) => shardOf(value, 64))).toEqual([
      45, 1, 31,
    ]);
  });

  it('spreads ids that differ in a digit evenly', () => {
    const sizes = new Array<number>(16).fill(0);
    for (let index = 0; index < 16_000; index++) {
      const shard = shardOf(`sensor-${index}`, 16);
      sizes[shard] = (sizes[shard] ?? 0) + 1;
    }
    expect(Math.min(...sizes)).toBeGreaterThan(850);
    expect(Math.max(...sizes)).toBeLessThan(1150);
  });
});

describe('the epochs of a family', () => {
  it('begin with one shard', () => {
    expect(shardCountAt([], 0)).toBe(1);
    expect(shardCountAt([{ since: 10, count: 2, from: 10 }], 9)).toBe(1);
    expect(shardCountAt([{ since: 10, count: 2, from: 10 }], 10)).toBe(2);
  });

  it('never hide from a reader an item of a writer with any earlier epochs', () => {
    const epochs = fc
      .array(fc.nat(1000), { maxLength: 6 })
      .map((times) =>
        times
          .toSorted((a, b) => a - b)
          .map((since, index) => ({ since, count: 2 ** (index + 1), from: since })),
      );
    fc.assert(
      fc.property(epochs, fc.nat(7), fc.nat(1000), id, (all, known, time, value) => {
        const shard = shardOf(value, shardCountAt(all.slice(0, known), time));
        expect(shard).toBeLessThan(shardCountAt(all, time));
      }),
    );
  });
});
