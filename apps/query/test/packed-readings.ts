import { blockItem, sortedUnique, spanOf } from '@engawa/model';
import fc from 'fast-check';
import type { BlockItem, Reading } from '@engawa/model';

/** Readings in blocks, as the table holds them. */
export interface PackedReadings {
  /** In the order of their sort keys. */
  blocks: BlockItem[];
  /** What those that have not expired hold, with duplicates. */
  readings: Reading[];
  /** Milliseconds. */
  span: number;
}

/** When it is "now": half of the blocks that may expire have. */
export const now = Date.UTC(2026, 10, 20);

/** Few moments and few contents, so that duplicates, readings of the same moment and blocks as long as the span are common. */
const reading: fc.Arbitrary<Reading> = fc.record({
  time: fc.nat(18).map((step) => now + step * 500),
  fields: fc.constantFrom({ a: 1 }, { a: 2 }, { b: 1 }, { a: 1, b: 1 }, { constructor: 'x' }),
});

const pack = (maxLength: number) =>
  fc.record({
    readings: fc.array(reading, { minLength: 1, maxLength }).map(sortedUnique),
    expired: fc.nat(4).map((die) => die === 0),
    shard: fc.nat(3),
  });

/** Any readings of a device in any blocks of so many shards, up to nine seconds from `now`. */
export function packedReadingsOf(device: string, shards: number): fc.Arbitrary<PackedReadings> {
  return fc
    .constantFrom(1, 4)
    .chain((longest) => fc.array(pack(longest), { maxLength: 14 }))
    .map((packs) => {
      const items = new Map(
        packs.map((pack) => {
          const ttl = now / 1000 + (pack.expired ? -1 : 1);
          const shard = pack.shard % shards;
          const block = blockItem({ device, readings: pack.readings, shard, ttl });
          return [block.pk + block.sk, { ...pack, block }]; // the same block again replaces it
        }),
      );
      const sorted = [...items.values()].sort((left, right) =>
        left.block.sk < right.block.sk ? -1 : 1,
      );
      return {
        blocks: sorted.map(({ block }) => block),
        readings: sorted.flatMap(({ readings, expired }) => (expired ? [] : readings)),
        span: Math.max(0, ...packs.map(({ readings }) => spanOf(readings))) * 1000,
      };
    });
}

export const packedReadings = packedReadingsOf('climate-1', 1);

/** Each reading once, in order, found out in the plainest way. */
export function naive(readings: readonly Reading[], order: 'asc' | 'desc'): Reading[] {
  const texts = readings.map(({ time, fields }) =>
    JSON.stringify([time, Object.entries(fields).sort()]),
  );
  const unique = [...new Set(texts)].sort(); // all times have the same number of digits
  if (order === 'desc') unique.reverse();
  return unique.map((text) => {
    const [time, fields] = JSON.parse(text) as [number, [string, number][]];
    return { time, fields: Object.fromEntries(fields) };
  });
}
