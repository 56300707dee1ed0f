import { checkSums, day, hours, lastMonth, monthPath } from './month.ts';
import { fieldNames, thousandths } from './series.ts';

const inOrder = (hour: number) => Array.from({ length: 60 }, (_, index) => hour * 60 + index);

function answerOf(change: (hour: number, name: string) => number = () => 0): string {
  const items = Array.from({ length: hours }, (_, hour) => ({
    fields: Object.fromEntries(
      fieldNames.map((name, field) => {
        const values = inOrder(hour).map((index) => thousandths(index, field));
        const sum = values.reduce((total, value) => total + value, change(hour, name));
        return [name, { sum: sum / 1000, count: values.length }];
      }),
    ),
  }));
  return JSON.stringify({ items });
}

it('accepts exact sums, and rejects a difference of a thousandth', () => {
  expect(() => checkSums(answerOf(), inOrder)).not.toThrow();
  const off = answerOf((hour, name) => (hour === 719 && name === 'power' ? 1 : 0));
  expect(() => checkSums(off, inOrder)).toThrow('power of hour 719');
});

it('reports a missing hour and a missing late reading', () => {
  const lateInTen = (hour: number) => (hour === 10 ? [...inOrder(10), 43_200] : inOrder(hour));
  expect(() => checkSums(answerOf(), lateInTen)).toThrow('hour 10');
  const { items } = JSON.parse(answerOf()) as { items: object[] };
  const cut = JSON.stringify({ items: items.slice(1) });
  expect(() => checkSums(cut, inOrder)).toThrow('719 hours, not 720');
});

it('queries 30 complete days that ended at least a day ago', () => {
  const { from, to } = lastMonth(Date.parse('2026-11-21T11:00:00Z'));
  expect([new Date(to).toISOString(), to - from]).toEqual(['2026-11-20T00:00:00.000Z', 30 * day]);
  expect(monthPath({ device: 'd', from, to, functions: 'count,sum' })).toBe(
    '/v1/devices/d/aggregates?from=2026-10-21T00%3A00%3A00.000Z&to=2026-11-20T00%3A00%3A00.000Z' +
      '&every=PT1H&fn=count%2Csum&limit=1000',
  );
});
