import fc from 'fast-check';
import * as keys from '../index.ts';
import type { PeriodLength } from '../index.ts';

const { isPeriod, periodBounds, periodLengths, periodOf } = keys;
const at = (time: string) => Date.parse(time);
const instants = fc.integer({ min: keys.earliestInstant, max: keys.latestInstant });
const lengths = fc.constantFrom(...periodLengths);

describe('a period', () => {
  // Weeks of Debian's `date -u +%G-W%V`.
  it.each<[string, string, string]>([
    ['2026-11-29T23:59:59.999Z', '2026-11-29', '2026-W48'],
    ['2026-11-30T00:00:00Z', '2026-11-30', '2026-W49'],
    ['2026-12-31T23:59:59.999Z', '2026-12-31', '2026-W53'],
    ['2027-01-03T23:59:59.999Z', '2027-01-03', '2026-W53'],
    ['2027-01-04T00:00:00Z', '2027-01-04', '2027-W01'],
    ['2024-12-29T12:00:00Z', '2024-12-29', '2024-W52'],
    ['2024-12-30T00:00:00Z', '2024-12-30', '2025-W01'],
    ['2024-02-29T12:00:00Z', '2024-02-29', '2024-W09'],
    ['2000-02-29T12:00:00Z', '2000-02-29', '2000-W09'],
    ['1900-03-01T00:00:00Z', '1900-03-01', '1900-W09'],
    ['1970-01-01T00:00:00Z', '1970-01-01', '1970-W01'],
    ['1969-12-28T23:59:59.999Z', '1969-12-28', '1969-W52'],
    ['0026-06-15T00:00:00Z', '0026-06-15', '0026-W25'],
    ['0000-01-01T00:00:00Z', '0000-01-01', '-0001-W52'],
    ['0000-01-03T00:00:00Z', '0000-01-03', '0000-W01'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31', '9999-W52'],
    // Clocks in Europe change at 01:00 UTC on these Sundays: days of UTC have 24 hours nevertheless.
    ['2026-03-29T23:30:00Z', '2026-03-29', '2026-W13'],
    ['2026-10-25T22:30:00Z', '2026-10-25', '2026-W43'],
  ])('of %s is %s, %s, and the month of the day', (time, day, week) => {
    const found = periodLengths.map((length) => periodOf(length, at(time)));
    expect(found).toEqual([day, week, day.slice(0, 7)]);
  });

  it('contains the instants between its bounds, and no others', () => {
    fc.assert(
      fc.property(lengths, instants, (length, instant) => {
        const name = periodOf(length, instant);
        const [first, last] = periodBounds(length, instant).map(at) as [number, number];
        expect([first <= instant, instant <= last]).toEqual([true, true]);
        expect([first, last].map((each) => periodOf(length, each))).toEqual([name, name]);
        for (const other of [first - 1, last + 1]) {
          if (other < keys.earliestInstant || other > keys.latestInstant) continue;
          expect(periodOf(length, other)).not.toBe(name);
        }
        const days = (last + 1 - first) / 86_400_000;
        const isCut = first === keys.earliestInstant || last === keys.latestInstant;
        if (length === 'P1W' && !isCut) expect(days).toBe(7);
      }),
    );
  });

  it('has a name by which it is recognized', () => {
    fc.assert(
      fc.property(lengths, instants, (length, instant) => {
        const name = periodOf(length, instant);
        expect(periodLengths.filter((each) => isPeriod(each, name))).toEqual([length]);
      }),
    );
  });

  it.each<[PeriodLength, string]>([
    ['P1D', '2026-02-29'],
    ['P1D', '2026-11-31'],
    ['P1D', '2026-1-1'],
    ['P1D', '2026-11'],
    ['P1D', '-0001-12-31'],
    ['P1W', '2025-W53'],
    ['P1W', '2026-W00'],
    ['P1W', '2026-W54'],
    ['P1W', '2026W48'],
    ['P1W', '2026-w48'],
    ['P1W', '-0001-W51'],
    ['P1W', '9999-W53'],
    ['P1W', '2026-11-29'],
    ['P1M', '2026-13'],
    ['P1M', '2026-00'],
    ['P1M', ''],
  ])('%s has no period %j', (length, name) => {
    expect(isPeriod(length, name)).toBe(false);
  });
});
