import { shardCountAt } from '@engawa/keys';
import { blockItem, blockReadings, blockSpanOf, sortedUnique } from '@engawa/model';
import fc from 'fast-check';
import type { ShardEpoch } from '@engawa/keys';
import type { BlockItem, Fields, Reading } from '@engawa/model';

/** Readings in blocks, as the table holds them. */
export interface PackedReadings {
  /** In the order of their sort keys. */
  blocks: BlockItem[];
  /** The readings of the unexpired blocks, with duplicates. */
  readings: Reading[];
  /** Milliseconds. */
  span: number;
}

/** When it is "now": half of the blocks that may expire have. */
export const now = Date.UTC(2026, 10, 20);

/**
 * Few moments and few contents, so that duplicates, readings of the same moment and blocks as long
 * as the span are common.
 */
const contents: readonly Fields[] = [
  { a: 1 },
  { a: 2 },
  { b: 1 },
  { a: 1, b: 1 },
  { constructor: 'x' },
];
const readingOf = (fields: readonly Fields[]): fc.Arbitrary<Reading> =>
  fc.record({
    time: fc.nat(18).map((step) => now + step * 500),
    fields: fc.constantFrom(...fields),
  });

const pack = (maxLength: number, fields: readonly Fields[]) =>
  fc.record({
    readings: fc.array(readingOf(fields), { minLength: 1, maxLength }).map(sortedUnique),
    expired: fc.nat(4).map((die) => die === 0),
    shard: fc.nat(7),
  });

/**
 * Any history of shards, none included, that begins and goes on between two seconds before `now`
 * and fifteen behind it.
 */
export const history: fc.Arbitrary<ShardEpoch[]> = fc
  .uniqueArray(fc.constantFrom(2, 4, 8), { maxLength: 2 })
  .chain((counts) =>
    fc.tuple(
      ...counts
        .toSorted((left, right) => left - right)
        .map((count) =>
          fc.nat(34).map((step) => ({ count, since: now + step * 500 - 2000, from: 0 })),
        ),
    ),
  );

/** Any readings of a device in any blocks, each in any shard that it may be in, up to nine seconds from `now`. */
export function packedReadingsOf(
  device: string,
  epochs: readonly ShardEpoch[],
  fields = contents,
): fc.Arbitrary<PackedReadings> {
  return fc
    .constantFrom(1, 4)
    .chain((longest) => fc.array(pack(longest, fields), { maxLength: 14 }))
    .map((packs) => {
      const items = new Map(
        packs.map((pack) => {
          const ttl = now / 1000 + (pack.expired ? -1 : 1);
          const newest = pack.readings.at(-1)?.time ?? now;
          const shard = pack.shard % shardCountAt(epochs, newest);
          const block = blockItem({ device, readings: pack.readings, shard, ttl });
          return [block.pk + block.sk, { ...pack, block }]; // the same block again replaces it
        }),
      );
      const sorted = [...items.values()].sort((left, right) =>
        left.block.sk < right.block.sk ? -1 : 1,
      );
      return {
        blocks: sorted.map(({ block }) => block),
        readings: sorted.flatMap(({ block, expired }) => (expired ? [] : blockReadings(block))),
        span: Math.max(0, ...packs.map(({ readings }) => blockSpanOf(readings))) * 1000,
      };
    });
}

export const packedReadings = packedReadingsOf('climate-1', []);

/** Each reading once, in the order of time and of the names of blocks, found out in the plainest way. */
export function naive(readings: readonly Reading[], order: 'asc' | 'desc'): Reading[] {
  const names = [...new Set(readings.map((reading) => reading.order ?? ''))].sort();
  const inOrder = names
    .flatMap((name) => readings.filter((reading) => (reading.order ?? '') === name))
    .sort((left, right) => left.time - right.time);
  const texts = inOrder.map(({ time, fields }) =>
    JSON.stringify([time, Object.entries(fields).sort()]),
  );
  const unique = inOrder.filter((_, index) => texts.lastIndexOf(texts[index] ?? '') === index);
  return order === 'desc' ? unique.reverse() : unique;
}
