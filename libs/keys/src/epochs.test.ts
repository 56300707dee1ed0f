import fc from 'fast-check';
import {
  maxStalenessMs,
  activationDelayMs,
  grownCount,
  grownEpochs,
  learnEpochs,
  maxShards,
  shardCountAt,
  shardsToWrite,
} from './shards.ts';
import type { KnownEpoch, ShardEpoch } from './shards.ts';

/** Maximum difference of two clocks, and maximum duration of a write, in milliseconds. */
const maxClockDifferenceMs = 5000;
const maxWriteMs = 10_000;

/** A growing family: its published epochs, by true time. */
interface Published {
  at: number;
  epochs: ShardEpoch[];
}

const step = fc.record({
  /** Time since the previous growth. */
  after: fc.nat(120_000),
  /** The clock of the process that adds the shards. */
  offset: fc.nat(maxClockDifferenceMs),
  writeTook: fc.nat(maxWriteMs),
  since: fc.nat(400_000),
  demand: fc.double({ min: 0, max: 100, noNaN: true }),
});
const history = fc.array(step, { minLength: 1, maxLength: 6 }).map((steps): Published[] => {
  const published: Published[] = [{ at: -Infinity, epochs: [] }];
  let time = 0;
  for (const { after, offset, writeTook, since, demand } of steps) {
    const { epochs } = published.at(-1) ?? { epochs: [] };
    const count = grownCount(shardCountAt(epochs, since), demand);
    time += after;
    published.push({
      at: time + writeTook,
      epochs: grownEpochs(epochs, { since, count, now: time + offset }),
    });
    time += writeTook;
  }
  return published;
});

function publishedAt(published: readonly Published[], time: number): ShardEpoch[] {
  return published.findLast(({ at }) => at <= time)?.epochs ?? [];
}

/** A process that reads the epochs at some times, with its own wall clock and monotonic clock. */
const writer = fc.record({
  looks: fc.array(fc.nat(700_000), { maxLength: 4 }),
  /** Milliseconds after a growth of an additional read: the earliest use of new epochs. */
  soonAfter: fc.oneof(fc.constant(0), fc.nat(3000)),
  wallOffset: fc.nat(maxClockDifferenceMs),
  steadyOffset: fc.integer({ min: -1_000_000, max: 1_000_000 }),
});

/** An item of time `event` is written this long after a growth, then queried. */
const write = fc.record({
  event: fc.nat(800_000),
  growth: fc.nat(6),
  after: fc.oneof(fc.nat(12_000), fc.nat(200_000)),
});
const read = fc.record({
  afterWrite: fc.oneof(fc.constant(0), fc.nat(60_000)),
  believedFor: fc.oneof(fc.constant(maxStalenessMs), fc.nat(maxStalenessMs)),
  beyond: fc.nat(1000),
});

describe('the epochs of a family', () => {
  it('hide no item from a reader, for any times of growth, write and read and any clocks', () => {
    let spread = 0;
    fc.assert(
      fc.property(
        history,
        writer,
        write,
        read,
        (published, process, { event, growth, after }, question) => {
          const { wallOffset, steadyOffset, soonAfter } = process;
          const grown = published.slice(1).map(({ at }) => at);
          const wrote = (grown[growth % grown.length] ?? 0) + after;
          const looks = [...process.looks, ...grown.map((at) => at + soonAfter)];
          let known: KnownEpoch[] = [];
          for (const time of looks.toSorted((a, b) => a - b).filter((look) => look <= wrote)) {
            const moment = { wall: time + wallOffset, steady: time + steadyOffset };
            known = learnEpochs(known, publishedAt(published, time), moment);
          }
          const used = shardsToWrite(known, event, wrote + steadyOffset);
          if (used > 1) spread += 1;
          const asked = wrote + question.afterWrite;
          const believed = publishedAt(published, asked - question.believedFor);
          expect(used).toBeLessThanOrEqual(shardCountAt(believed, event + question.beyond));
        },
      ),
      { numRuns: 20_000 },
    );
    expect(spread).toBeGreaterThan(1000);
  });

  it('would hide an item if a writer used a new epoch at once', () => {
    const published = grownEpochs([], { since: 0, count: 2, now: 1000 });
    const atOnce = published.map((epoch) => ({ ...epoch, usableAt: 0 }));
    expect(shardsToWrite(atOnce, 1000, 0)).toBeGreaterThan(shardCountAt([], 1000));
    const learned = learnEpochs([], published, { wall: 1000, steady: 50 });
    expect(shardsToWrite(learned, 1000, 50 + activationDelayMs - 1)).toBe(1);
    expect(shardsToWrite(learned, 1000, 50 + activationDelayMs)).toBe(2);
  });

  it('are used at once by a process that starts after every process has known them for long', () => {
    const published = grownEpochs([], { since: 0, count: 8, now: 1000 });
    const learned = learnEpochs([], published, { wall: 100_000, steady: 3 });
    expect(shardsToWrite(learned, 5000, 3)).toBe(8);
  });

  it('need no second wait when they are read again', () => {
    const first = grownEpochs([], { since: 0, count: 2, now: 0 });
    const known = learnEpochs([], first, { wall: 0, steady: 0 });
    const second = grownEpochs(first, { since: 10_000, count: 4, now: 10_000 });
    const both = learnEpochs(known, second, { wall: 10_000, steady: 10_000 });
    expect(shardsToWrite(both, 20_000, 10_000)).toBe(2);
    expect(shardsToWrite(both, 20_000, 10_000 + activationDelayMs)).toBe(4);
    expect(shardsToWrite(both, 9_999, 10_000 + activationDelayMs)).toBe(2);
  });
});

describe('grownCount', () => {
  it('at least doubles, grows with the demand, and ends at the maximum', () => {
    expect(grownCount(1, 0)).toBe(2);
    expect(grownCount(1, 1)).toBe(2);
    expect(grownCount(4, 1.4)).toBe(8);
    expect(grownCount(1, 10)).toBe(16);
    expect(grownCount(8, 1000)).toBe(maxShards);
    expect(grownCount(64, 0)).toBe(maxShards);
  });

  it('is a power of two at which each key uses at most 70 %', () => {
    const counts = fc.constantFrom(1, 2, 4, 8, 16, 32);
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 50, noNaN: true }), (count, demand) => {
        const grown = grownCount(count, demand);
        expect(Math.log2(grown) % 1).toBe(0);
        expect(grown).toBeGreaterThan(count);
        if (grown < maxShards) expect((demand * count) / grown).toBeLessThanOrEqual(0.7 + 1e-9);
      }),
    );
  });
});
