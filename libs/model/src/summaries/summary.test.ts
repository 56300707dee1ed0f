import fc from 'fast-check';
import { Decimal } from '../values/decimal.ts';
import { decodeSummary, encodeSummary, Summary } from './summary.ts';
import type { CounterRules } from './field-summary.ts';
import type { Reading } from '../readings/reading.ts';
import type { ResetMarks } from './summary.ts';

const zero: CounterRules = { reset: 'zero' };

function summaryOf(readings: readonly Reading[]): Summary {
  const summary = new Summary();
  for (const reading of readings) summary.add(reading);
  return summary;
}

/** A counter's readings, a second apart. */
const counted = (...values: number[]): Reading[] =>
  values.map((energy, second) => ({ time: second * 1000, fields: { energy } }));

const increase = (readings: Reading[], rules = zero, before?: number) =>
  summaryOf(readings).fields.get('energy')?.increase(before, rules)?.value;

const readings = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 1000 }),
      fields: fc.dictionary(
        fc.constantFrom('a', 'pk', 'constructor'),
        fc.oneof(
          fc.integer({ min: -100, max: 1000 }).map((value) => value / 10),
          fc.constantFrom(new Decimal('12345678901234567890.1'), 'text', true, null),
        ),
      ),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    let time = 0;
    return steps.map(({ gap, fields }): Reading => ({ time: (time += gap), fields }));
  });

/** A summary as plain values with computed sums. */
const plain = ({ fields, withoutNumbers }: Summary) => [
  withoutNumbers,
  ...[...fields]
    .map(([name, { count, sum, min, max, first, last, rise, falls }]) => [
      name,
      { count, sum: sum.value, min, max, first, last, rise: rise.value, falls },
    ])
    .sort(),
];

describe('a marked reset', () => {
  const resetAt = (at: number): ResetMarks => {
    return (field, after, until) => field === 'energy' && at > after && at <= until;
  };
  const risen = (isReset: ResetMarks, before?: number) => {
    const summary = new Summary();
    for (const reading of counted(10, 12, 500, 503)) summary.add(reading, isReset);
    const field = summary.fields.get('energy');
    return field?.increase(before, zero, isReset('energy', -1000, 0))?.value;
  };

  it('excludes the step across the reset from increases and decreases', () => {
    expect(risen(resetAt(2000))).toBe(5);
    expect(risen(resetAt(1001))).toBe(5);
    expect(risen(resetAt(2001))).toBe(490);
    const fallen = new Summary();
    for (const reading of counted(10, 12, 4, 5)) fallen.add(reading, resetAt(2000));
    expect(fallen.fields.get('energy')?.increase(undefined, zero)?.value).toBe(3);
  });

  it('between the previous value and the first value', () => {
    expect(risen(resetAt(-1), 3)).toBe(493);
    expect(risen(resetAt(9999), 3)).toBe(500);
  });

  it('between two joined periods', () => {
    const [first, second] = [summaryOf(counted(10, 12)), new Summary()];
    second.add({ time: 5000, fields: { energy: 500 } });
    first.append(second, resetAt(3000));
    expect(first.fields.get('energy')?.increase(undefined, zero)?.value).toBe(2);
  });

  it('does not count as a decrease, of which a counter has few', () => {
    const summary = new Summary();
    const days = Array.from({ length: 20 }, (_, index) => [100 + index, index]).flat();
    for (const reading of counted(...days)) summary.add(reading, () => true);
    expect(summary.fields.get('energy')?.increase(undefined, zero)?.value).toBe(0);
  });
});

describe('a summary', () => {
  it('reports the totals of numeric fields and ignores other values', () => {
    const summary = summaryOf([
      { time: 1, fields: { temperature: 21.4, door: 'open' } },
      { time: 2, fields: { temperature: 20.1, door: null } },
      { time: 3, fields: { temperature: 22.2, humidity: 40 } },
    ]);
    const temperature = summary.fields.get('temperature');
    expect([...summary.fields.keys()]).toEqual(['temperature', 'humidity']);
    expect(temperature).toMatchObject({
      count: 3,
      min: 20.1,
      max: 22.2,
      first: { time: 1, value: 21.4 },
      last: { time: 3, value: 22.2 },
    });
    expect(temperature?.sum.value).toBe(63.7);
  });

  it('is the same for any split of its time, and after it was stored', () => {
    fc.assert(
      fc.property(readings, fc.nat(40), fc.nat(40), (all, one, other) => {
        const cuts = [Math.min(one, other), Math.max(one, other)] as const;
        const parts = [all.slice(0, cuts[0]), all.slice(...cuts), all.slice(cuts[1])];
        const whole = new Summary();
        for (const [index, part] of parts.entries()) {
          const start = index * 7;
          const summary = summaryOf(part);
          const { withoutNumbers } = summary;
          whole.append(decodeSummary(encodeSummary(summary, start), start, withoutNumbers));
        }
        expect(plain(whole)).toEqual(plain(summaryOf(all)));
      }),
    );
  });

  it("keeps sums with more digits than the table's numbers", () => {
    const large = new Decimal('9'.repeat(38));
    const small = new Decimal(`0.${'0'.repeat(36)}12`);
    const summary = summaryOf([
      { time: 1, fields: { a: large } },
      { time: 2, fields: { a: small } },
    ]);
    const again = decodeSummary(encodeSummary(summary, 0), 0);
    expect(String(again.fields.get('a')?.sum.value)).toBe(`${'9'.repeat(38)}.${'0'.repeat(36)}12`);
  });
});

describe('the increase of a counter', () => {
  it('is the rise since the value before the period', () => {
    expect(increase(counted(100, 110.5, 110.5, 112))).toBe(12);
    expect(increase(counted(100, 112), zero, 99.5)).toBe(12.5);
  });

  it('continues from zero after a restart at zero, and skips a restart at an unknown value', () => {
    const replaced = counted(100, 110, 5, 15);
    expect(increase(replaced)).toBe(25);
    expect(increase(replaced, { reset: 'unknown' })).toBe(20);
    expect(increase(counted(3), zero, 100)).toBe(3);
  });

  it('continues across a wrap if the distance is short', () => {
    const rules = { wrapsAt: 100_000, reset: 'unknown' } as const;
    expect(increase(counted(99_990, 99_999.5, 5), rules)).toBe(15);
    expect(increase(counted(54_321, 0, 10), rules)).toBe(10);
    expect(increase(counted(2), rules, 99_999)).toBe(3);
  });

  it('is undefined for a field that falls again and again', () => {
    const saw = Array.from({ length: 60 }, (_, index) => index % 2);
    expect(increase(counted(...saw))).toBeUndefined();
    const again = decodeSummary(encodeSummary(summaryOf(counted(...saw)), 0), 0);
    expect(again.fields.get('energy')?.increase(undefined, zero)).toBeUndefined();
    expect(again.fields.get('energy')?.count).toBe(60);
  });
});
