import { compareBytes } from '@engawa/keys';
import fc from 'fast-check';
import { mergeShards } from './merge-shards.ts';
import type { ShardRow, ShardPage } from './merge-shards.ts';

type Compare = (left: string, right: string) => number;

const against: Compare = (left, right) => compareBytes(right, left);

interface ShardQuery {
  after: string | undefined;
  most: number;
  compare: Compare;
}

/** A Query of one shard: at most `most` rows after `after`. */
function ask(shard: readonly string[], { after, most, compare }: ShardQuery): ShardPage<ShardRow> {
  const behind = shard
    .filter((sortKey) => after === undefined || compare(sortKey, after) > 0)
    .sort(compare);
  const rows = behind.slice(0, most).map((sortKey) => ({ sortKey }));
  const last = rows.at(-1)?.sortKey;
  return { rows, readUpTo: behind.length > most ? last : undefined };
}

/** All pages from the first to the last. `most` is the maximum number of rows in one response of a shard. */
function walk(
  shards: readonly string[][],
  limit: number,
  most: number[],
  descending = false,
): string[][] {
  const compare = descending ? against : compareBytes;
  const pages: string[][] = [];
  let after: string | undefined;
  do {
    const answers = shards.map((shard, index) =>
      ask(shard, { after, most: most[index] ?? limit + 1, compare }),
    );
    const page = mergeShards(answers, limit, { descending });
    pages.push(page.rows.map(({ sortKey }) => sortKey));
    after = page.after;
  } while (after !== undefined);
  return pages;
}

describe('mergeShards', () => {
  const key = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
    fc.constantFrom('\u{1f600}', '\ufb01', '\uff5e', 'a', 'z'),
  );

  it.each([1, 2, 4])(
    'returns every row of %d shards once, in ascending or descending byte order',
    (count) => {
      fc.assert(
        fc.property(
          fc.uniqueArray(fc.tuple(key, fc.nat(count - 1)), { selector: ([name]) => name }),
          fc.integer({ min: 1, max: 5 }),
          // Fewer than the limit, as from a shard whose rows are too large for one response of DynamoDB.
          fc.array(fc.integer({ min: 1, max: 6 }), { minLength: count, maxLength: count }),
          fc.boolean(),
          (placed, limit, most, descending) => {
            const shards = Array.from({ length: count }, (_, shard) =>
              placed.filter(([, at]) => at === shard).map(([name]) => name),
            );
            const pages = walk(shards, limit, most, descending);
            const names = placed.map(([name]) => name);
            expect(pages.flat()).toEqual(names.sort(descending ? against : compareBytes));
            expect(pages.every((page) => page.length <= limit)).toBe(true);
          },
        ),
      );
    },
  );

  it('fills every page except the last when each shard returns one row more than the limit', () => {
    const shards = [
      ['a', 'd', 'e'],
      ['b', 'c', 'f', 'g'],
    ];
    expect(walk(shards, 3, [4, 4])).toEqual([['a', 'b', 'c'], ['d', 'e', 'f'], ['g']]);
  });

  it('ends at the shard that was read least far, in byte order', () => {
    const pages = ['\u{1f600}', '\ue000'].map((readUpTo) => ({ rows: [], readUpTo }));
    expect(mergeShards(pages, 3)).toEqual({ rows: [], after: '\ue000' });
  });

  it('continues after a shard that read rows and matched none', () => {
    const pages = [{ rows: [{ sortKey: 'c' }] }, { rows: [], readUpTo: 'b' }];
    expect(mergeShards(pages, 3)).toEqual({ rows: [], after: 'b' });
  });
});
