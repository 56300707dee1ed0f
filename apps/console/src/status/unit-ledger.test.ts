import { total, UnitLedger } from './unit-ledger.ts';
import type { Units } from './status-report.ts';

const minute = 60_000;
/** A whole number of minutes since the epoch. */
const start = 30_000_000 * minute;

function ledgerOf(startedAt = start) {
  const ledger = new UnitLedger(startedAt);
  return {
    ledger,
    read: (now: number, units: number, startOfProcess = start - minute, address = '10.0.0.1') =>
      ledger.add(
        {
          ...{ service: 'query', address, startedAt: startOfProcess },
          units: { read: units, write: 2 * units },
        },
        now,
      ),
    sum: (now: number): Units =>
      total(ledger.minutes(now).flatMap((minuteUnits) => minuteUnits.get('query') ?? [])),
  };
}

it('counts differences, by the minute in which they were read', () => {
  const { ledger, read, sum } = ledgerOf();
  read(start, 100);
  read(start + minute, 130);
  read(start + 2.5 * minute, 135);
  expect(ledger.minutes(start + 3 * minute).map((units) => units.get('query')?.read ?? 0)).toEqual([
    0, 30, 5, 0,
  ]);
  expect(sum(start + 3 * minute)).toEqual({ read: 35, write: 70 });
});

it('counts all units of a process that started with the ledger, and of one that has restarted', () => {
  const { read, sum } = ledgerOf();
  read(start + minute, 7, start - 1000, '10.0.0.2');
  read(start, 100);
  read(start + 2 * minute, 140, start + minute); // restarted, with more units than before
  read(start + 3 * minute, 145, start + minute);
  expect(sum(start + 3 * minute)).toEqual({ read: 152, write: 304 });
});

it('counts a process that was unreachable for a while', () => {
  const { read, sum } = ledgerOf();
  read(start, 100);
  read(start + 50 * minute, 150);
  expect(sum(start + 50 * minute).read).toBe(50);
});

it('has at most an hour, and says since when', () => {
  const { ledger, read, sum } = ledgerOf(start + 1);
  read(start + 1, 0);
  for (let at = 1; at <= 200; at += 1) read(start + at * minute, at);
  const now = start + 200 * minute;
  expect(sum(now).read).toBe(60);
  expect(ledger.minutes(now)).toHaveLength(60);
  expect(ledger.since(now)).toBe(now - 59 * minute);
  expect(ledger.since(start + 2)).toBe(start + 1);
});

it('forgets a process that is gone, and does not count it from 0 when it is back', () => {
  const { read, sum } = ledgerOf();
  read(start, 100);
  read(start + 100 * minute, 100, start, '10.0.0.2');
  read(start + 101 * minute, 5000);
  expect(sum(start + 101 * minute).read).toBe(0);
});
