import { join } from 'node:path';
import { packReadings } from '@engawa/model';
import { aReading, startWithHeap } from '@engawa/testing';
import { minute } from './aggregates.ts';
import { itemsOf } from './placed-device.ts';
import { openTable } from './table.ts';

/** Megabytes: half of the memory limit, as in the chart. */
const heap = 128;
/** Of the largest response, and of each other one: it takes a second of CPU. */
const [mostRequests, fewRequests] = [60, 12];
const maxBytes = 1_000_000;
const start = Date.parse('2026-11-01T00:00:00Z');
const minutes = 1000;
const iso = (time: number) => new Date(time).toISOString();
const names = Array.from({ length: 100 }, (_, index) => `field-${index}`);
const functions = 'count,sum,avg,min,max,first,last,increase,rate,timeWeightedMean,p50,p90,p95,p99';
const range = { from: iso(start), to: iso(start + minutes * minute), limit: '1000' };
const every = { ...range, every: 'PT1M' };

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

async function startQuery() {
  const started = await openTable();
  closers.push(() => started.close());
  const readings = Array.from({ length: minutes }, (_, index) =>
    aReading({
      time: start + index * minute,
      fields: Object.fromEntries(names.map((name, n) => [name, ((index * 37 + n) % 1000) / 10])),
    }),
  );
  const writer = started.table.batchWriter();
  let blocks = 0;
  const wide = { id: 'wide', blocks: packReadings('wide', readings) };
  const items = itemsOf(wide, () => ++blocks);
  await Promise.all(items.map((item) => writer.put(item)));
  writer.close();
  const main = join(__dirname, '../src/main.ts');
  const service = await startWithHeap({ main, heap, environment: started.environment });
  closers.push(() => service.close());
  return service;
}

it('many of the largest pages at a time do not exceed the heap of the chart', async () => {
  const { api, isAlive, isRunning } = await startQuery();
  const filled = { ...every, fn: functions, fields: names.join(','), fill: '0' };
  for (const [requests, path, parameters] of [
    [mostRequests, 'aggregates', filled],
    [fewRequests, 'aggregates', { ...every, fn: functions }],
    // Most summaries in memory per byte of the response.
    [fewRequests, 'aggregates', { ...every, fn: 'p50' }],
    [fewRequests, 'aggregates', { ...every, fn: 'avg', fields: 'field-1' }],
    [fewRequests, 'readings', range],
    [fewRequests, 'latest', { limit: '1000' }],
  ] as const) {
    const url = `${api}/v1/devices/wide/${path}?${new URLSearchParams(parameters).toString()}`;
    let left = requests;
    const answers = Array.from({ length: requests }, async () => {
      const answer = await fetch(url);
      const bytes = (await answer.arrayBuffer()).byteLength;
      left -= 1;
      return { status: answer.status, isBounded: bytes < maxBytes + 1000 };
    });
    let probes = 0;
    while (left > 0 && isRunning()) probes += Number(await isAlive());
    expect(isRunning()).toBe(true);
    expect(await Promise.all(answers)).toEqual(
      Array.from({ length: requests }, () => ({ status: 200, isBounded: true })),
    );
    // Many turns of the event loop, with probes in between.
    expect(probes).toBeGreaterThan(requests);
  }
});
