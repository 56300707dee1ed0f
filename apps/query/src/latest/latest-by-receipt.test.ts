import { compareLatest, compareReceipt } from '@engawa/model';
import fc from 'fast-check';
import { latestByReceipt } from './latest-by-receipt.ts';
import type { Device, Reading } from '@engawa/model';
import type { LatestByReceiptOptions } from './latest-by-receipt.ts';

const now = Date.UTC(2026, 10, 20);
const minute = 60_000;
const hour = 60 * minute;

/** Received at this time, from a clock that is ahead by so much. */
function received(at: number, aheadMs: number): Reading {
  const ahead = aheadMs > minute && { receivedAt: at };
  const order = `~${String(at).padStart(15, '0')}`;
  return { time: at + aheadMs, fields: { at }, order, ...ahead };
}

/** A reading a minute, from `from` until `until`. */
function everyMinute(from: number, until: number, aheadMs: number): Reading[] {
  const count = Math.ceil((until - from) / minute);
  return Array.from({ length: count }, (_, index) => received(from + index * minute, aheadMs));
}

type Known = Partial<Pick<Device, 'clockAhead' | 'lastSeenAt'>>;

async function search(all: readonly Reading[], limit: number, { lastSeenAt = 0, ...noted }: Known) {
  const byTime = all.toSorted((left, right) => compareReceipt(right, left));
  const pages: number[] = [];
  const pageOf: LatestByReceiptOptions['pageOf'] = (range) => {
    const within = byTime.filter(({ time }) => time >= range.from && time < range.to);
    const readings = within.slice(0, range.limit).map((each) => ({ device: 'd', ...each }));
    pages.push(readings.length);
    const last = within.length > range.limit ? readings.at(-1) : undefined;
    return Promise.resolve({ readings, ...(last && { next: { time: last.time } }) });
  };
  const latest = await latestByReceipt({
    device: { lastSeenAt, ...noted },
    readings: byTime.slice(0, limit),
    limit,
    pageOf,
    budget: { isSpent: false },
    now,
  });
  const expected = all.toSorted((left, right) => compareLatest(right, left)).slice(0, limit);
  const times = (readings: readonly Reading[]) => readings.map(({ fields }) => fields['at']);
  return { latest: times(latest), expected: times(expected), pages };
}

const limits = fc.integer({ min: 1, max: 12 });

describe('latestByReceipt', () => {
  it('finds the last received ones of ten more than requested, with any clocks', async () => {
    const at = fc.integer({ min: now - 60, max: now }).map((step) => now - (now - step) * 20_000);
    const reading = fc.tuple(at, fc.constantFrom(0, 2 * minute, 5 * minute, hour));
    const readings = fc.uniqueArray(reading, { selector: ([one]) => one, minLength: 1 });
    await fc.assert(
      fc.asyncProperty(readings, limits, async (given, limit) => {
        const all = given.slice(0, limit + 10).map(([one, aheadMs]) => received(one, aheadMs));
        const { latest, expected } = await search(all, limit, {});
        expect(latest).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('finds those of a clock that was set right, also of a device that is silent since', async () => {
    const ago = fc.integer({ min: 0, max: 20 * 60 }).map((minutes) => minutes * minute);
    const world = fc.record({ set: ago, silent: ago, aheadMs: fc.constantFrom(hour, 8 * hour) });
    await fc.assert(
      fc.asyncProperty(world, limits, async ({ set, silent, aheadMs }, limit) => {
        const [setAt, end] = [now - Math.max(set, silent), now - Math.min(set, silent)];
        const before = everyMinute(setAt - 12 * hour, setAt, aheadMs);
        const all = [...before, ...everyMinute(setAt, end, 0)];
        // Within an hour of the last reading.
        const lastSeenAt = end - (set % hour);
        const clockAhead = { readings: 1, ms: aheadMs, at: setAt };
        const { latest, expected, pages } = await search(all, limit, { lastSeenAt, clockAhead });
        expect(latest).toEqual(expected);
        expect(pages.length).toBeLessThanOrEqual(5);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['one that is ahead', 8 * hour],
    ['one that is less ahead', 4 * hour],
  ])('finds those of the last noted clock: %s', async (_name, ms) => {
    const set = now - 2 * hour;
    const all = [...everyMinute(set - 9 * hour, set, 8 * hour), ...everyMinute(set, now, ms)];
    const noted = { lastSeenAt: now - hour, clockAhead: { readings: 1, ms, at: set } };
    const { latest, expected, pages } = await search(all, 1, noted);
    expect(latest).toEqual(expected);
    expect(pages.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(30);
  });

  it('reads at most five pages, and up to 230 readings beyond the requested ones', async () => {
    const set = now - 3 * hour;
    const often = (from: number, until: number, aheadMs: number) =>
      Array.from({ length: (until - from) / 5000 }, (_, index) =>
        received(from + index * 5000, aheadMs),
      );
    const all = [
      ...often(set - 9 * hour, set - hour, 8 * hour),
      ...often(set - hour, set, 4 * hour),
    ];
    const noted = { lastSeenAt: set, clockAhead: { readings: 1, ms: 2 * hour, at: set } };
    const { pages } = await search(all, 1, noted);
    expect(pages.length).toBeLessThanOrEqual(5);
    expect(pages.reduce((sum, count) => sum + count - 1, 0)).toBeLessThanOrEqual(230);
  });
});
