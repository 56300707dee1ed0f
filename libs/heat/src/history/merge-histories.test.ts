import { maxReshards, mergeHistories } from './merge-histories.ts';
import { busiestRows } from './sum-rows.ts';
import type { HeatHistoryReport, HistoryRow, HistoryWindow } from './history-report.ts';

const start = Date.parse('2026-11-20T09:00:00Z');
const window: HistoryWindow = { resolution: 'second', startMs: start, columns: 10 };
const limits = { read: 3000, write: 1000 };

function aRow(partition: string, writes: HistoryRow['writes'], more: Partial<HistoryRow> = {}) {
  const kind = { index: 'table', kind: 'device', family: 'DEVICE' };
  return { ...kind, partition, merged: false, reads: [], writes, throttles: [], ...more };
}

const runs = (first: number, ...values: number[]) => [{ first, values }];
const isoAt = (second: number) => new Date(start + second * 1000).toISOString();

function aHistory(rows: HistoryRow[], more: Partial<HeatHistoryReport> = {}): HeatHistoryReport {
  const times = { resolution: 'second' as const, start: isoAt(0), columns: 10 };
  return { ...times, limits, keys: 'shown', rows, reshards: [], ...more };
}

const names = ({ rows }: Pick<HeatHistoryReport, 'rows'>) => rows.map(({ partition }) => partition);

describe('mergeHistories', () => {
  it('adds up the columns of the same time of the same key', () => {
    const one = aHistory([aRow('DEVICE#a', runs(2, 10, 20), { throttles: runs(3, 1) })]);
    const earlier = aHistory([aRow('DEVICE#a', runs(0, 1, 2, 3, 4, 5, 6))], { start: isoAt(-2) });
    const later = aHistory([aRow('DEVICE#a', runs(0, 100), { reads: runs(0, 7) })], {
      start: isoAt(9),
    });
    const merged = mergeHistories([one, earlier, later], window, 100);
    expect(merged).toEqual(
      aHistory([
        aRow('DEVICE#a', runs(0, 3, 4, 15, 26, 0, 0, 0, 0, 0, 100), {
          ...{ reads: runs(9, 7), throttles: runs(3, 1) },
        }),
      ]),
    );
    expect(mergeHistories([later, one, earlier], window, 100)).toEqual(merged);
  });

  it('leaves out what is outside the window', () => {
    const old = aHistory([aRow('DEVICE#a', runs(0, 1))], { start: isoAt(-5) });
    const ahead = aHistory([aRow('DEVICE#b', runs(9, 1))], { start: isoAt(1) });
    expect(mergeHistories([old, ahead], window, 100).rows).toEqual([]);
  });

  it('keeps merged keys apart from a key, and adds them up by kind', () => {
    const others = aRow('DEVICE', runs(0, 5), { merged: true });
    const rows = [others, aRow('DEVICE', runs(0, 1))];
    const merged = mergeHistories([aHistory(rows), aHistory([others])], window, 100);
    expect(merged.rows).toEqual([
      aRow('DEVICE', runs(0, 10), { merged: true }),
      aRow('DEVICE', runs(0, 1)),
    ]);
  });

  it('adds up no hidden keys, since they may be different ones', () => {
    const hidden = { keys: 'hidden' as const };
    const one = aHistory([aRow('DEVICE', runs(0, 1)), aRow('DEVICE', runs(0, 2))], hidden);
    const merged = mergeHistories([one, one], window, 100);
    expect(merged.keys).toBe('hidden');
    expect(merged.rows.map(({ writes }) => writes[0]?.values)).toEqual([[2], [2], [1], [1]]);
  });

  it('has the smallest limits, and those of DynamoDB without any report', () => {
    const small = aHistory([], { limits: { read: 100, write: 5000 } });
    expect(mergeHistories([aHistory([]), small], window, 1).limits).toEqual({
      read: 100,
      write: 1000,
    });
    expect(mergeHistories([], window, 1)).toEqual(aHistory([]));
  });

  it('lists a reshard once that several processes saw, and the latest ones', () => {
    const grown = (time: string, to = 2) => ({ time, family: 'LIST#DEVICE', from: to / 2, to });
    const of = (...reshards: HeatHistoryReport['reshards']) => aHistory([], { reshards });
    const reports = [of(grown(isoAt(2)), grown(isoAt(40), 4)), of(grown(isoAt(1)))];
    expect(mergeHistories(reports, window, 1).reshards).toEqual([
      grown(isoAt(1)),
      grown(isoAt(40), 4),
    ]);
    const many = Array.from({ length: maxReshards + 5 }, (_, at) => grown(isoAt(60 * at)));
    expect(mergeHistories([of(...many)], window, 1).reshards).toEqual(many.slice(5));
  });
});

describe('busiestRows', () => {
  const devices = Array.from({ length: 20 }, (_, at) =>
    aRow(`DEVICE#${at}`, runs(at % 10, at + 1)),
  );
  const list = aRow('LIST#DEVICE#0', runs(0, 3), { index: 'gsi1', kind: 'list' });
  const throttled = aRow('DEVICE#slow', [], { throttles: runs(4, 1) });
  const rows = [...devices, list, throttled];
  const total = (found: readonly HistoryRow[]) =>
    found
      .flatMap(({ writes }) => writes.flatMap(({ values }) => values))
      .reduce((sum, value) => sum + value, 0);

  it('has throttled rows first, then the busiest', () => {
    const sorted = busiestRows(rows, { limits, window, limit: 100 });
    expect(names({ rows: sorted }).slice(0, 3)).toEqual(['DEVICE#slow', 'DEVICE#19', 'DEVICE#18']);
    expect(sorted).toHaveLength(rows.length);
  });

  it('adds further keys to the row of their kind', () => {
    const found = busiestRows(rows, { limits, window, limit: 5 });
    const kept = ['DEVICE#slow', 'DEVICE#19', 'DEVICE#18'];
    expect(names({ rows: found }).toSorted()).toEqual([...kept, 'DEVICE', 'LIST'].toSorted());
    expect(total(found)).toBe(total(rows));
    const again = busiestRows(found, { limits, window, limit: 3 });
    expect(names({ rows: again })).toEqual(['DEVICE#slow', 'DEVICE', 'LIST']);
    expect(total(again)).toBe(total(rows));
  });

  it('leaves out the least busy rows where there are more kinds than rows', () => {
    expect(names({ rows: busiestRows(rows, { limits, window, limit: 1 }) })).toEqual(['DEVICE']);
  });
});
