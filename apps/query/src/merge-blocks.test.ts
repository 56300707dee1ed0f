import { newestOf } from '@engawa/model';
import fc from 'fast-check';
import { naive, now, packedReadings } from '../test/packed-readings.ts';
import { blocksOf, hasAdvanced, mergeBlocks } from './merge-blocks.ts';
import type { BlockItem, Reading } from '@engawa/model';
import type { Position, RangeQuestion, ReadingPage } from './merge-blocks.ts';

interface Pace {
  blocksPerQuery: number;
  queriesPerPage: number;
}

/** One page, with the blocks fetched as Queries give them. */
function ask(question: RangeQuestion, blocks: readonly BlockItem[], pace: Pace): ReadingPage {
  const range = blocksOf(question);
  const matching = blocks.filter(
    (block) => newestOf(block) >= range.from && newestOf(block) < range.to,
  );
  if (question.order === 'desc') matching.reverse();
  for (let queries = 1; ; queries++) {
    const fetched = matching.slice(0, queries * pace.blocksPerQuery);
    const complete = fetched.length === matching.length;
    const page = mergeBlocks(question, fetched, complete);
    const enough = page.readings.length === question.limit || queries >= pace.queriesPerPage;
    if (complete || (enough && hasAdvanced(question, page))) return page;
  }
}

/** All pages from the first to the last. */
function walk(question: RangeQuestion, blocks: readonly BlockItem[], pace: Pace): Reading[][] {
  const pages: Reading[][] = [];
  let start: Position | undefined;
  do {
    const page = ask({ ...question, start }, blocks, pace);
    pages.push(page.readings);
    start = page.next;
    if (pages.length > 1000) throw new Error('a walk without end');
  } while (start !== undefined);
  return pages;
}

/** Those of readings, and a millisecond beside them. */
const moments = fc.tuple(fc.nat(20), fc.nat(1)).map(([step, beside]) => step * 500 + beside);

const question = fc.record({
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 6 }),
  from: moments.map((offset) => now + offset),
  length: moments,
  fields: fc.option(fc.constantFrom(new Set(['a']), new Set(['constructor', 'none'])), {
    nil: undefined,
  }),
});

const pace = fc.record({
  blocksPerQuery: fc.integer({ min: 1, max: 8 }),
  queriesPerPage: fc.integer({ min: 1, max: 3 }),
});

describe('mergeBlocks', () => {
  it('gives, over all pages, each reading of the range once and in order', () => {
    fc.assert(
      fc.property(packedReadings, question, pace, (packed, { length, ...asked }, pace) => {
        const { fields } = asked;
        const whole = { ...asked, to: asked.from + length, span: packed.span, now };
        const pages = walk(whole, packed.blocks, pace);
        const expected = naive(packed.readings, asked.order)
          .filter(({ time }) => time >= whole.from && time < whole.to)
          .map((reading) => (fields === undefined ? reading : only(reading, fields)))
          .filter(({ fields }) => Object.keys(fields).length > 0);
        expect(pages.flat()).toEqual(expected);
        expect(pages.every((page) => page.length <= asked.limit)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('fills every page but the last when the Queries may take as long as they need', () => {
    const patient = { blocksPerQuery: 2, queriesPerPage: Infinity };
    fc.assert(
      fc.property(packedReadings, question, (packed, { length, ...asked }) => {
        const whole = { ...asked, to: asked.from + length, span: packed.span, now };
        const sizes = walk(whole, packed.blocks, patient).map((page) => page.length);
        expect(sizes.slice(0, -1).every((size) => size === asked.limit)).toBe(true);
      }),
    );
  });

  it('has no page behind the one that gave the last reading of all blocks', () => {
    fc.assert(
      fc.property(packedReadings, question, (packed, { length, ...asked }) => {
        const whole = { ...asked, to: asked.from + length, span: packed.span, now };
        const [first = [], ...pages] = walk(whole, packed.blocks, {
          blocksPerQuery: packed.blocks.length,
          queriesPerPage: 1,
        });
        expect(pages).not.toContainEqual([]);
        expect(pages.length).toBe(Math.max(0, Math.ceil(total(first, pages) / asked.limit) - 1));
      }),
    );
  });
});

function total(first: readonly Reading[], pages: readonly Reading[][]): number {
  return pages.reduce((count, page) => count + page.length, first.length);
}

function only({ time, fields }: Reading, names: ReadonlySet<string>): Reading {
  const kept = Object.entries(fields).filter(([name]) => names.has(name));
  return { time, fields: Object.fromEntries(kept) };
}
