import {
  blockItem,
  correctionItem,
  correctionRowKeyOf,
  deviceItem,
  noCorrectionRows,
  withCorrectionRow,
} from '@engawa/model';
import { aDevice } from '@engawa/testing';
import { day, hour, midnight } from './seed-table.ts';
import { lengthOf, range, search } from './pattern.ts';
import type { Correction } from '@engawa/model';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

const device = 'often-corrected';
const path = `/v1/devices/${device}`;
const made = 5000;

/** Corrections of a millisecond each, in the years before the last two days. */
const corrections = Array.from({ length: made }, (_, index): Correction => {
  const from = midnight - 2 * day - (index + 1) * 6 * hour;
  const what = { operation: 'delete' as const, from, to: from + 1, why: 'a spike', madeAt: from };
  return { device, id: `spike ${index}`, sequence: index + 1, ...what };
});

/** One reading in each of six hours. */
async function seedManyCorrections(services: MeteredServices): Promise<void> {
  const rows = corrections.reduce(withCorrectionRow, noCorrectionRows);
  const state = { version: 'many', made, rows };
  const items = [
    deviceItem(aDevice({ id: device, corrections: state }), { list: 1, seen: 1 }),
    ...corrections.map(correctionItem),
    ...corrections.map((one) => ({ ...correctionItem(one), ...correctionRowKeyOf(one) })),
    ...Array.from({ length: 6 }, (_, index) => {
      const time = midnight - (index + 1) * hour;
      return blockItem({ device, readings: [{ time, fields: { power: index } }] });
    }),
  ];
  const writer = services.table.batchWriter();
  await Promise.all(items.map((item) => writer.put({ ...item })));
  writer.close();
}

const today = search({ ...range(midnight - 6 * hour, midnight), every: 'PT1H' });

/** Queries of a device that has 5,000 corrections of other times, and a further correction. */
export const manyCorrectionsPatterns: Pattern[] = [
  {
    ask: 'latest readings beside 5,000 corrections of other times, first request after a correction',
    how: 'Query of its partition, descending, and of the rows of its corrections from there on, consistent',
    requests: '1, and 1 per class of lengths of corrections and page of them',
    expected: { Query: 2 },
    prepare: seedManyCorrections,
    run: (services) => lengthOf(services, ['query', `${path}/latest?limit=3`], 'readings'),
    gives: 3,
  },
  {
    ask: 'aggregates over 6 past hours beside 5,000 corrections of other times, first request',
    how: 'the device, Query of rollups, the device, Query of readings, and a transaction of the new rollups; the corrections of these days are cached',
    requests: '3, 1 per page of readings, and 1 per 100 rollups',
    expected: { GetItem: 2, Query: 2, TransactWriteItems: 1 },
    run: (services) => lengthOf(services, ['query', `${path}/aggregates?${today}`], 'items'),
    gives: 6,
  },
  {
    ask: 'the same, later requests',
    how: 'Query of rollups; its device is cached, and its corrections are until their version changes',
    requests: '1',
    expected: { Query: 1 },
    run: (services) => lengthOf(services, ['query', `${path}/aggregates?${today}`], 'items'),
    gives: 6,
  },
  {
    ask: 'correct readings of a device with more than 100 corrections',
    how: 'GetItem of the device and of the correction, consistent, and a transaction of both and of its row',
    requests: '3',
    expected: { GetItem: 2, TransactWriteItems: 1 },
    run: async (services) => {
      const from = midnight - 3 * hour;
      const body = { operation: 'delete', from, to: from + 1, why: 'a spike' };
      const request = { method: 'PUT', body };
      return (await services.ask('registry', `${path}/corrections/one`, request)).status;
    },
    gives: 201,
  },
];
