import { Heat } from '../counting/heat.ts';
import { HeatHistory } from './heat-history.ts';
import type { RecordedRow } from './heat-history.ts';
import type { Resolution, Series } from './history-report.ts';
import type { Unit } from '../keys/partition.ts';

const limits = { read: 3000, write: 1000 };
const cause = { scope: 'key_range', reason: 'TableWriteKeyRangeThroughputExceeded' } as const;

/** A whole minute. */
const start = Date.parse('2026-11-20T09:00:00Z');

/** A process with both of its clocks: monotonic from 0, and wall time from `start` on. */
class RecordedProcess {
  readonly heat = new Heat({ limits });
  readonly history = new HeatHistory({ limits });
  /** Seconds since the start. */
  now = 0;

  used(partition: string, units: number, unit: Unit = 'write', index = 'table'): void {
    this.heat.used({ index, unit, partition }, units, this.now * 1000 + 500);
  }

  throttled(partition: string): void {
    const key = { index: 'table', unit: 'write', partition } as const;
    this.heat.throttled(key, cause, 1, this.now * 1000 + 500);
  }

  endSecond(): void {
    this.now += 1;
    this.history.record(start + this.now * 1000, this.heat);
  }

  window(resolution: Resolution = 'second', fromSecond = 0) {
    const wallMs = start + this.now * 1000;
    return this.history.window(resolution, wallMs, start + fromSecond * 1000);
  }

  rows(resolution: Resolution = 'second', fromSecond = 0): RecordedRow[] {
    return this.history.read(this.window(resolution, fromSecond));
  }
}

function sumOf(rows: readonly RecordedRow[], measure: 'reads' | 'writes' | 'throttles'): number {
  const values = rows.flatMap((row) => row[measure].flatMap((run) => run.values));
  return values.reduce((sum, value) => sum + value, 0);
}

const runs = (first: number, ...values: number[]): Series => [{ first, values }];

describe('HeatHistory', () => {
  it('has the exact units and throttles of each key in each second', () => {
    const process = new RecordedProcess();
    for (let second = 0; second < 30; second++) {
      process.used('DEVICE#a', second + 1);
      process.used('DEVICE#a', 2, 'read');
      if (second === 7) process.throttled('DEVICE#a');
      if (second > 20) process.used('LIST#DEVICE#0', 0.5, 'write', 'gsi1');
      process.endSecond();
    }
    expect(process.window()).toEqual({ resolution: 'second', startMs: start, columns: 30 });
    expect(process.rows()).toEqual([
      {
        ...{ index: 'table', partition: 'DEVICE#a', kind: 'device', merged: false },
        reads: runs(0, ...Array.from({ length: 30 }, () => 2)),
        writes: runs(0, ...Array.from({ length: 30 }, (_, second) => second + 1)),
        throttles: runs(7, 1),
      },
      {
        ...{ index: 'gsi1', partition: 'LIST#DEVICE#0', kind: 'list', merged: false },
        reads: [],
        writes: runs(21, ...Array.from({ length: 9 }, () => 0.5)),
        throttles: [],
      },
    ]);
  });

  it('shows a hot key in the second after it became hot, among many busy keys', () => {
    const process = new RecordedProcess();
    for (let second = 0; second < 40; second++) {
      for (let key = 0; key < 1600; key++) process.used(`DEVICE#busy-${key}`, 1 + (key % 3));
      if (second === 35) process.used('DEVICE#hot', 900);
      process.endSecond();
    }
    const hot = process.rows().find(({ partition }) => partition === 'DEVICE#hot');
    expect(hot?.writes).toEqual(runs(35, 900));
  });

  it('has minutes that are the sums of their seconds, with the running one', () => {
    const process = new RecordedProcess();
    for (let second = 0; second < 150; second++) {
      process.used('DEVICE#a', 1);
      process.endSecond();
    }
    expect(process.window('minute')).toMatchObject({ startMs: start, columns: 3 });
    expect(process.rows('minute')).toMatchObject([{ writes: runs(0, 60, 60, 30) }]);
    expect(process.rows('minute', 70)).toMatchObject([{ writes: runs(0, 60, 30) }]);
    expect(process.rows('second', 145)).toMatchObject([{ writes: runs(0, 1, 1, 1, 1, 1) }]);
  });

  it('loses no unit, where far more keys are used than a sketch counts', () => {
    const process = new RecordedProcess();
    const expected = { reads: 0, writes: 0, throttles: 0 };
    for (let second = 0; second < 100; second++) {
      for (let record = 0; record < 3000; record++) {
        const units = 0.5 * (1 + (record % 9));
        const unit = record % 4 === 0 ? 'read' : 'write';
        process.used(`DEVICE#${(second * 2999 + record * 7) % 9001}`, units, unit);
        expected[`${unit}s`] += units;
        if (record % 5 > 0) continue;
        process.throttled(`ROOM#home#${record}`);
        expected.throttles += 1;
      }
      process.endSecond();
    }
    for (const resolution of ['second', 'minute'] as const) {
      const rows = process.rows(resolution);
      const kinds = rows.filter(({ merged }) => merged).map(({ partition }) => partition);
      expect(new Set(kinds)).toEqual(new Set(['DEVICE', 'ROOM']));
      for (const measure of ['reads', 'writes', 'throttles'] as const) {
        expect(sumOf(rows, measure)).toBe(expected[measure]);
      }
    }
  });

  it('records nothing without traffic', () => {
    const process = new RecordedProcess();
    const before = process.history.bytes;
    for (let second = 0; second < 200; second++) process.endSecond();
    expect(process.rows()).toEqual([]);
    expect(process.rows('minute')).toEqual([]);
    expect(process.history.bytes).toBe(before);
    expect(process.window()).toMatchObject({ columns: 200 });
  });

  it('forgets seconds after ten minutes, and minutes after a day', () => {
    const process = new RecordedProcess();
    process.used('DEVICE#old', 5);
    for (let second = 0; second < 601; second++) process.endSecond();
    expect(process.window()).toMatchObject({ startMs: start + 1000, columns: 600 });
    expect(process.rows()).toEqual([]);
    expect(process.rows('minute')).toMatchObject([{ partition: 'DEVICE#old' }]);
    process.now = 86_400;
    process.endSecond();
    expect(process.rows('minute')).toEqual([]);
    expect(process.window('minute', -1e6)).toMatchObject({ columns: 1440 });
  });

  it('continues the newest second while the clock is set back, and begins again after a minute', () => {
    const process = new RecordedProcess();
    process.now = 600;
    process.used('DEVICE#a', 1);
    process.endSecond();
    process.now -= 30;
    process.used('DEVICE#a', 2);
    process.endSecond();
    expect(process.rows('second', 590)).toMatchObject([{ writes: runs(10, 3) }]);
    process.now -= 120;
    process.used('DEVICE#b', 4);
    process.endSecond();
    const rows = process.rows('second', process.now - 1);
    expect(rows).toMatchObject([{ partition: 'DEVICE#b', writes: runs(0, 4) }]);
    expect(process.rows('minute')).toHaveLength(1);
  });

  it('has a column for the late seconds of a blocked process', () => {
    const process = new RecordedProcess();
    process.used('DEVICE#a', 1);
    process.endSecond();
    process.used('DEVICE#a', 2);
    process.now += 20;
    process.used('DEVICE#b', 3);
    process.endSecond();
    expect(sumOf(process.rows(), 'writes')).toBe(6);
    expect(process.window()).toMatchObject({ columns: 22 });
  });
});
