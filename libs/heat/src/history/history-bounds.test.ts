import { HeatHistory, maxHistoryBytes } from './heat-history.ts';
import { maxRows } from './history-rows.ts';
import type { UseVisitor } from './unit-use.ts';

const limits = { read: 3000, write: 1000 };
const start = Date.parse('2026-11-20T09:00:00Z');

/** As long as a key can be, with a number at its end. */
const longKey = (number: number) => `DEVICE#${'x'.repeat(760)}${String(number).padStart(8, '0')}`;

interface Use {
  partition: string;
  units: number;
}

/** A history, and what was recorded in total. */
function begin() {
  const history = new HeatHistory({ limits });
  let [second, total] = [0, 0];
  const record = (uses: readonly Use[]): void => {
    second += 1;
    history.record(start + second * 1000, {
      takeUse: (visitor: UseVisitor) => {
        for (const { partition, units } of uses) {
          visitor.ofKey('table', 'writes', partition, units);
          total += units;
        }
      },
    });
  };
  const skip = (seconds: number): void => void (second += seconds);
  const rows = (resolution: 'second' | 'minute') =>
    history.read(history.window(resolution, start + second * 1000));
  return { history, record, skip, rows, total: () => total };
}

function sum(rows: ReturnType<ReturnType<typeof begin>['rows']>): number {
  return rows
    .flatMap(({ writes }) => writes.flatMap(({ values }) => values))
    .reduce((all, value) => all + value, 0);
}

it('has bounded memory and rows, with full columns of the longest keys', () => {
  const { history, record, skip, rows } = begin();
  const uses = (second: number) =>
    Array.from({ length: 400 }, (_, at) => ({
      partition: longKey((second * 37 + at) % 2000),
      units: 1,
    }));
  // A second of each minute of a day fills the minutes, the last ten minutes fill the seconds.
  for (let minute = 0; minute < 1440; minute++) {
    record(uses(minute));
    skip(59);
  }
  for (let second = 0; second < 600; second++) record(uses(1440 + second));
  expect(history.bytes).toBeLessThanOrEqual(maxHistoryBytes);
  expect(history.bytes).toBeGreaterThan(0.8 * maxHistoryBytes);
  for (const resolution of ['second', 'minute'] as const) {
    expect(rows(resolution).length).toBeLessThanOrEqual(maxRows);
  }
});

it('folds the least busy keys for busier ones, and loses no unit', () => {
  const { record, rows, total } = begin();
  for (let second = 0; second < 300; second++) {
    // Each new key is busier than all before.
    const at = Array.from({ length: 50 }, (_, place) => second * 50 + place);
    record(at.map((number) => ({ partition: `DEVICE#${number}`, units: 1.001 ** number })));
  }
  for (const resolution of ['second', 'minute'] as const) {
    const found = rows(resolution);
    expect(found.length).toBeLessThanOrEqual(maxRows);
    // Columns have 24 bits of precision.
    expect(sum(found) / total()).toBeCloseTo(1, 5);
    const names = new Set(found.map(({ partition }) => partition));
    for (let number = 14_900; number < 15_000; number++)
      expect(names).toContain(`DEVICE#${number}`);
    expect(names).toContain('DEVICE');
    expect(names).not.toContain('DEVICE#0');
  }
});

it('keeps the rows of equal keys, however many there are', () => {
  const { record, rows, total } = begin();
  const uses = (second: number) =>
    Array.from({ length: 100 }, (_, at) => ({
      partition: `DEVICE#${(second * 100 + at) % 10_000}`,
      units: 1,
    }));
  for (let second = 0; second < 400; second++) record(uses(second));
  const found = rows('second');
  expect(sum(found)).toBe(total());
  const [first] = found.filter(({ partition }) => partition === 'DEVICE#0');
  expect(first?.writes.map((run) => run.first)).toEqual([0, 100, 200, 300].map((at) => at + 200));
});

it('frees the rows of keys that were used more than a day ago', () => {
  const { record, skip, rows } = begin();
  const at = (first: number, units: number) =>
    Array.from({ length: 1468 }, (_, place) => ({ partition: `DEVICE#${first + place}`, units }));
  for (let second = 0; second < 10; second++) {
    record(at(0, 500).slice(second * 147, (second + 1) * 147));
  }
  skip(86_500);
  record(at(5000, 1).slice(0, 150));
  const names = rows('minute').map(({ partition }) => partition);
  expect(names).toHaveLength(150);
  expect(names).toContain('DEVICE#5000');
});
