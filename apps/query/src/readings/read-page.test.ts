import { Corrections } from '../corrections/corrections.ts';
import { RequestBudget } from '@engawa/http';
import { blockItem } from '@engawa/model';
import { aDevice, aReading } from '@engawa/testing';
import fc from 'fast-check';
import { answerQuery } from '../../test/answer-query.ts';
import { now } from '../../test/packed-readings.ts';
import { expectedReadings, room, roomQuestion } from '../../test/room.ts';
import { periodsFromPosition, readPage, slicesOf } from './read-page.ts';
import type { Reading } from '@engawa/model';
import type { Roommate } from '../../test/room.ts';
import type { PageRequest, ReadingPage } from './merge-blocks.ts';

interface Pace {
  /** Blocks in one megabyte. */
  blocksPerQuery: number;
  queriesPerPage: number;
}

async function ask(
  request: PageRequest,
  roommates: readonly Roommate[],
  pace: Pace,
  asked: string[] = [],
): Promise<ReadingPage> {
  const blocks = roommates.flatMap((each) => each.blocks);
  const periods = roommates.flatMap(({ id, slices }) =>
    slices.map((slice) => ({
      device: id,
      from: Math.max(slice.from, request.from),
      to: Math.min(slice.to, request.to),
    })),
  );
  const slices = await slicesOf(
    periodsFromPosition(
      request,
      periods.filter(({ from, to }) => from < to),
    ),
    (id) => Promise.resolve({ device: deviceOf(roommates, id), overlay: Corrections.none.shown }),
  );
  return readPage({
    table: {
      query: (query) => {
        asked.push(query.pk);
        return Promise.resolve(answerQuery(blocks, query, pace.blocksPerQuery));
      },
    },
    request,
    slices,
    onLongerBlock: () => {
      throw new Error('no block is longer');
    },
    budget: new RequestBudget({ deadlineMs: Infinity, maxUnits: pace.queriesPerPage }),
    signal: new AbortController().signal,
    now,
  });
}

function deviceOf(roommates: readonly Roommate[], id: string) {
  const { span, epochs } = roommates.find((each) => each.id === id) ?? { span: 0, epochs: [] };
  return aDevice({ id, span: span / 1000, shards: epochs });
}

/** Walks through all pages. */
async function walk(
  request: PageRequest,
  roommates: readonly Roommate[],
  pace: Pace,
): Promise<ReadingPage[]> {
  const pages: ReadingPage[] = [];
  for (let start = request.start; ; start = pages.at(-1)?.next) {
    pages.push(await ask({ ...request, start }, roommates, pace));
    if (pages.at(-1)?.next === undefined) return pages;
    if (pages.length > 1000) throw new Error('a walk without end');
  }
}

const limits = fc.integer({ min: 1, max: 7 });

const pace = fc.record({
  blocksPerQuery: fc.integer({ min: 1, max: 8 }),
  queriesPerPage: fc.integer({ min: 1, max: 6 }),
});

describe('readPage', () => {
  it('returns over all pages each reading of the range once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(room, roomQuestion, limits, pace, async (roommates, asked, limit, pace) => {
        const pages = await walk({ ...asked, limit }, roommates, pace);
        const given = pages.flatMap(({ readings }) => readings);
        expect(given).toEqual(expectedReadings(roommates, asked));
        expect(pages.every(({ readings }) => readings.length <= limit)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('fills every page but the last, given enough budget', async () => {
    const patient = { blocksPerQuery: 3, queriesPerPage: Infinity };
    await fc.assert(
      fc.asyncProperty(room, roomQuestion, limits, async (roommates, asked, limit) => {
        const pages = await walk({ ...asked, limit }, roommates, patient);
        const sizes = pages.map(({ readings }) => readings.length);
        expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never returns the same page twice', async () => {
    const hasty = { blocksPerQuery: 1, queriesPerPage: 0 };
    await fc.assert(
      fc.asyncProperty(room, roomQuestion, limits, async (roommates, asked, limit) => {
        const pages = await walk({ ...asked, limit }, roommates, hasty);
        const positions = pages.map(({ next }) => JSON.stringify(next));
        expect(new Set(positions).size).toBe(positions.length);
      }),
      { numRuns: 500 },
    );
  });

  it('fetches only the blocks that the page waits for, once the budget is spent', async () => {
    const times = [1, 2, 3, 4, 5, 6].map((second) => now + second * 1000);
    const slices = [{ from: now, to: now + 20_000 }];
    const roommateOf = (id: string, readings: Reading[][]): Roommate => ({
      id,
      epochs: [],
      slices,
      blocks: readings.map((each) => blockItem({ device: id, readings: each })),
      readings: readings.flat(),
      span: id === 'long' ? 4000 : 0,
    });
    const roommates = [
      roommateOf(
        'long',
        times.map((time) => [aReading({ time: time - 4000 }), aReading({ time })]),
      ),
      roommateOf(
        'short',
        times.map((time) => [aReading({ time })]),
      ),
    ];
    const asked: string[] = [];
    const request = { from: now, to: now + 10_000, order: 'asc' as const, limit: 7 };
    await ask(request, roommates, { blocksPerQuery: 1, queriesPerPage: 0 }, asked);
    // The fifth block begins after the beginning of the range.
    expect(asked.toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'DEVICE#long'),
      'DEVICE#short',
    ]);
  });

  it.each(['asc', 'desc'] as const)(
    'reads further shards where a block is longer than the known span: %s',
    async (order) => {
      const epochs = [{ since: now + 12_000, count: 2, from: 0 }];
      const blockOf = (shard: number, ...seconds: number[]) =>
        blockItem({
          device: 'hot',
          shard,
          readings: seconds.map((second) => aReading({ time: now + second * 1000 })),
        });
      const blocks = [blockOf(0, 4, 9), blockOf(1, 8, 13)];
      const surprised: string[] = [];
      const page = await readPage({
        table: { query: (query) => Promise.resolve(answerQuery(blocks, query, 10)) },
        request: { from: now, to: now + 10_000, order, limit: 10 },
        slices: [
          {
            device: aDevice({ id: 'hot', shards: epochs }),
            overlay: Corrections.none.shown,
            from: now,
            to: now + 10_000,
          },
        ],
        onLongerBlock: (device) => surprised.push(device),
        budget: new RequestBudget({ deadlineMs: Infinity, maxUnits: Infinity }),
        signal: new AbortController().signal,
        now,
      });
      const seconds = page.readings.map(({ time }) => (time - now) / 1000);
      expect(seconds.toSorted()).toEqual([4, 8, 9]);
      expect(surprised).toEqual(['hot']);
    },
  );
});
