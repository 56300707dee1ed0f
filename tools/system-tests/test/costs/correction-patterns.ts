import { blockItem } from '@engawa/model';
import { hour, midnight } from './seed-table.ts';
import { manyCorrectionsPatterns } from './many-corrections-patterns.ts';
import { lengthOf, range, search } from './pattern.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

const device = 'corrected';
const corrections = `/v1/devices/${device}/corrections`;

/** One reading in each of six hours. */
async function seedCorrections(services: MeteredServices): Promise<void> {
  await services.ask('registry', `/v1/devices/${device}`, { method: 'PUT', body: {} });
  for (let hours = 1; hours <= 6; hours++) {
    const readings = [{ time: midnight - hours * hour, fields: { power: hours } }];
    await services.table.put({ ...blockItem({ device, readings }) });
  }
}

async function correct(services: MeteredServices, id: string, from: number): Promise<number> {
  const body = { operation: 'delete', from, to: from + 1, why: 'a spike' };
  return (await services.ask('registry', `${corrections}/${id}`, { method: 'PUT', body })).status;
}

async function undo(services: MeteredServices, id: string): Promise<number> {
  return (await services.ask('registry', `${corrections}/${id}`, { method: 'DELETE' })).status;
}

function latest(services: MeteredServices): Promise<number> {
  return lengthOf(services, ['query', `/v1/devices/${device}/latest?limit=3`], 'readings');
}

function count(services: MeteredServices): Promise<number> {
  const question = search({ ...range(midnight - 6 * hour, midnight), every: 'PT1H' });
  return lengthOf(services, ['query', `/v1/devices/${device}/aggregates?${question}`], 'items');
}

/** Corrections of readings, and queries of corrected readings. */
export const correctionPatterns: Pattern[] = [
  {
    ask: 'correct readings of a device, any range',
    how: 'GetItem of the device and of the correction, consistent, and a transaction of both',
    requests: '3',
    expected: { GetItem: 2, TransactWriteItems: 1 },
    prepare: seedCorrections,
    run: (services) => correct(services, 'one', midnight - 6 * hour),
    gives: 201,
  },
  {
    ask: 'latest readings of a device with corrections, first request after a correction',
    how: 'Query of its partition, descending, and of its corrections, consistent',
    requests: '1, and 1 per page of corrections',
    expected: { Query: 2 },
    run: latest,
    gives: 3,
  },
  {
    ask: 'the same, later requests',
    how: 'Query of its partition, descending; its corrections are cached until their version changes',
    requests: '1',
    expected: { Query: 1 },
    run: latest,
    gives: 3,
  },
  {
    ask: 'aggregates over 6 past hours of a device with corrections, first request',
    how: 'the device, Query of rollups, the device, Query of readings, and a transaction of the new rollups; its corrections are cached',
    requests: '3, 1 per page of readings, and 1 per 100 rollups',
    expected: { GetItem: 2, Query: 2, TransactWriteItems: 1 },
    run: count,
    gives: 6,
  },
  {
    ask: 'the corrections of a device',
    how: 'GetItem, and Query, consistent',
    requests: '1 + 1 per page',
    expected: { GetItem: 1, Query: 1 },
    run: (services) => lengthOf(services, ['registry', corrections], 'items'),
    gives: 1,
  },
  {
    ask: 'undo a correction',
    how: 'GetItem of the device and of the correction, consistent, and a transaction of both',
    requests: '3',
    expected: { GetItem: 2, TransactWriteItems: 1 },
    run: (services) => undo(services, 'one'),
    gives: 204,
  },
  ...manyCorrectionsPatterns,
];
