import { RequestBudget } from '@engawa/http';
import { devicePartition, rollupRange } from '@engawa/keys';
import { blockItem, deviceItem } from '@engawa/model';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { pino } from 'pino';
import { DeviceSummaries } from '../src/aggregates/device-summaries.ts';
import { PageProgress } from '../src/aggregates/page-progress.ts';
import { openTable } from './table.ts';
import type { DeviceSummariesOptions } from '../src/aggregates/device-summaries.ts';

const day = Date.UTC(2026, 10, 10);
const hours = 48;
const now = () => day + 10 * 86_400_000;
const device = 'meter';

const opened = openBeforeAll(openTable);
beforeAll(async () => {
  const { table } = opened;
  await table.put(deviceItem(aDevice({ id: device })));
  for (let hour = 0; hour < hours; hour++) {
    const readings = [{ time: day + hour * 3_600_000, fields: { power: 1 } }];
    await table.put(blockItem({ device, readings }));
  }
});

/** The table with pages of at most 24 items, until the Query with this number fails. */
function failingAt(last: number): DeviceSummariesOptions['table'] {
  const { table } = opened;
  let count = 0;
  return {
    get: table.get.bind(table),
    put: table.put.bind(table),
    transact: table.transact.bind(table),
    query(request) {
      count += 1;
      if (count === last) throw new Error('cut off');
      return table.query({ ...request, limit: 24 });
    },
  };
}

async function storedRollups(): Promise<number> {
  const sk = rollupRange('PT1H', day, day + (hours - 1) * 3_600_000);
  const { items } = await opened.table.query({ pk: devicePartition(device), sk });
  return items.length;
}

async function counts(table: DeviceSummariesOptions['table']): Promise<(number | undefined)[]> {
  const summaries = await new DeviceSummaries({ table, now }).of({
    device,
    edges: Array.from({ length: hours + 1 }, (_, hour) => day + hour * 3_600_000),
    atLeastUntil: day + hours * 3_600_000,
    budget: new RequestBudget({ deadlineMs: Infinity, maxUnits: Infinity }),
    progress: new PageProgress(false),
    signal: new AbortController().signal,
    log: pino({ enabled: false }),
  });
  return summaries.map(({ fields }) => fields.get('power')?.count);
}

it('stores the rollups of the hours that were read before a failure', async () => {
  // The first Query is for rollups, of which there are none; the third is for the second day of readings.
  await expect(counts(failingAt(3))).rejects.toThrow('cut off');
  // The last block of a page waits for the next page, so the hour before it is not known to be complete.
  expect(await storedRollups()).toBe(22);
  expect(await counts(failingAt(Infinity))).toEqual(Array.from({ length: hours }, () => 1));
  expect(await storedRollups()).toBe(hours);
});
