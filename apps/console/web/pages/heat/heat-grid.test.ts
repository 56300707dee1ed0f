import { compactHistory } from './feed/compact-history.ts';
import { foldRows } from './fold-rows.ts';
import { HeatGrid } from './heat-grid.ts';
import type { CompactHistory, MergedHistory } from './feed/compact-history.ts';

const limits = { read: 3000, write: 1000 };
const startMs = Date.parse('2026-11-20T09:00:00Z');
const startColumn = startMs / 1000;

type ReportedRow = MergedHistory['rows'][number];

function rowOf(partition: string, given: Partial<ReportedRow>): ReportedRow {
  const empty = { reads: [], writes: [], throttles: [] };
  return { index: 'table', partition, kind: 'device', merged: false, ...empty, ...given };
}

function report(given: Partial<MergedHistory>): CompactHistory {
  const start = new Date(startMs).toISOString();
  const fields = { resolution: 'second', start, columns: 600, limits, keys: 'shown' } as const;
  return compactHistory({ ...fields, rows: [], reshards: [], processes: [], ...given });
}

const runs = (first: number, ...values: number[]) => [{ first, values }];

function valuesOf(grid: HeatGrid, partition: string, from: number, count: number): number[] {
  const row = grid.rows.find((one) => one.partition === partition);
  return Array.from(
    { length: count },
    (_, at) => row?.writes[(startColumn + from + at) % grid.columns] ?? NaN,
  );
}

describe('HeatGrid', () => {
  it('adds up the reports of services that are no peers', async () => {
    const grid = new HeatGrid('second');
    const rows = [rowOf('DEVICE#a', { writes: runs(598, 100, 200), throttles: runs(599, 3) })];
    await grid.apply([report({ rows }), report({ rows })]);
    expect(valuesOf(grid, 'DEVICE#a', 597, 3)).toEqual([0, 200, 400]);
    expect(grid.rows).toMatchObject([
      { peak: 0.4, total: { writes: 600, throttles: 6, reads: 0 } },
    ]);
  });

  it('replaces the columns of a later report, and forgets columns that leave the window', async () => {
    const grid = new HeatGrid('second');
    await grid.apply([
      report({
        rows: [rowOf('DEVICE#a', { writes: runs(0, 7, ...Array<number>(598).fill(0), 5) })],
      }),
    ]);
    const start = new Date(startMs + 598_000).toISOString();
    const rows = [rowOf('DEVICE#a', { writes: runs(1, 6, 8) })];
    await grid.apply([report({ start, columns: 3, rows })]);
    expect(grid.end).toBe(startColumn + 601);
    expect(valuesOf(grid, 'DEVICE#a', 598, 3)).toEqual([0, 6, 8]);
    expect(grid.rows).toMatchObject([{ total: { writes: 14 } }]);
  });

  it('shows the smallest part of the window that has all use', async () => {
    const shownFrom = async (first: number): Promise<number> => {
      const grid = new HeatGrid('second');
      await grid.apply([report({ rows: [rowOf('DEVICE#a', { writes: runs(first, 7) })] })]);
      expect(grid.shown.first + grid.shown.columns).toBe(grid.end);
      return grid.shown.columns;
    };
    const shown = await Promise.all([599, 525, 524, 300, 299, 0].map(shownFrom));
    expect(shown).toEqual([75, 75, 150, 300, 600, 600]);
  });

  it('forgets a row once its last use has left the window', async () => {
    const grid = new HeatGrid('second');
    await grid.apply([report({ rows: [rowOf('DEVICE#a', { writes: runs(0, 7) })] })]);
    expect(grid.rows).toHaveLength(1);
    const start = new Date(startMs + 600_000).toISOString();
    await grid.apply([report({ start, columns: 1 })]);
    expect(grid.rows).toEqual([]);
  });

  it('has each reshard once, and forgets those before the window', async () => {
    const grid = new HeatGrid('second');
    const change = { family: 'LIST#DEVICE', from: 1, to: 2 };
    const times = ['2026-11-20T09:00:05.000Z', '2026-11-20T09:00:05.100Z'];
    await grid.apply([report({ reshards: times.map((time) => ({ ...change, time })) })]);
    expect(grid.reshards).toEqual([{ ...change, time: times[0] }]);
    // A later report has it again.
    const later = new Date(startMs + 597_000).toISOString();
    const known = times.map((time) => ({ ...change, time }));
    await grid.apply([report({ start: later, columns: 3, reshards: known })]);
    expect(grid.reshards).toEqual([{ ...change, time: times[0] }]);
    const start = new Date(startMs + 606_000).toISOString();
    await grid.apply([report({ start, columns: 3 })]);
    expect(grid.reshards).toEqual([]);
  });
});

describe('foldRows', () => {
  it('adds the least busy keys to the row of their kind, and keeps throttled ones', async () => {
    const grid = new HeatGrid('second');
    const rows = [
      rowOf('DEVICE#cold', { writes: runs(599, 1) }),
      rowOf('DEVICE#warm', { writes: runs(599, 50) }),
      rowOf('DEVICE#throttled', { throttles: runs(599, 1) }),
    ];
    await grid.apply([report({ rows })]);
    const byId = new Map(grid.rows.map((row) => [row.id, row]));
    foldRows(byId, 3);
    expect(byId.size).toBe(3);
    foldRows(byId, 2);
    expect([...byId.values()].map(({ partition, merged }) => [partition, merged])).toEqual([
      ['DEVICE#throttled', false],
      ['DEVICE', true],
    ]);
    const sum = byId.get('table * DEVICE')?.writes[(startColumn + 599) % 600];
    expect(sum).toBe(51);
  });
});
