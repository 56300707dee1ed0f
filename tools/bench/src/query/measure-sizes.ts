import { blockItem, packReadings } from '@engawa/model';
import { attributesOf } from '../attributes.ts';
import { median } from '../statistics.ts';
import { SerialClient } from './serial-client.ts';
import { sizeFindings } from './size-findings.ts';
import { deviceOf } from './series.ts';
import type { Reading } from '@engawa/model';
import type { Finding, Print } from '../report.ts';
import type { QueryOptions } from './options.ts';
import type { QueryProcess } from './query-process.ts';
import type { QueryRig } from './rig.ts';
import type { NeighbourTimes, PageCost } from './size-findings.ts';

const device = 'wide';
const start = Date.UTC(2026, 0, 1);
const minute = 60_000;
const [minutes, fields] = [1000, 100];
/** All functions of aggregates. */
const functions = 'count,sum,avg,min,max,first,last,increase,rate,timeWeightedMean,p50,p90,p95,p99';
const range = `from=${new Date(start).toISOString()}&to=${new Date(start + minutes * minute).toISOString()}&limit=1000`;
const of = `/v1/devices/${device}`;
const names = Array.from({ length: fields }, (_, field) => `field-${field}`);
const largest = `${of}/aggregates?${range}&every=PT1M&fill=0&fn=${functions}&fields=${names.join(',')}`;

/** Requests whose responses are limited by bytes. */
const pages: readonly (readonly [what: string, path: string])[] = [
  ['aggregates by the minute, 14 functions of 100 fields', largest],
  ['the same, averages only', `${of}/aggregates?${range}&every=PT1M&fn=avg`],
  ['the same, averages of one field', `${of}/aggregates?${range}&every=PT1M&fn=avg&fields=field-1`],
  ['readings with 100 fields', `${of}/readings?${range}`],
  ['the same, one field', `${of}/readings?${range}&fields=field-1`],
  ['latest readings with 100 fields', `${of}/latest?limit=1000`],
];

/** The page of the other client: one reading. */
const small = `${of}/latest?limit=1`;
const largeRequests = 60;

/** CPU and bytes of the largest pages, and the response times of another client beside sixty of them. */
export async function measureSizes(
  rig: QueryRig,
  { repetitions }: QueryOptions,
  print: Print,
): Promise<Finding[]> {
  const table = await rig.createTable('bench-sizes');
  await table.items.store([deviceOf(device)]);
  await table.items.store(wideBlocks());
  // Clients are told apart by the address that a proxy names. As in the chart: the heap of small services.
  const settings = {
    environment: { TRUSTED_PROXIES: '1' },
    node: ['--max-old-space-size=128', '--max-semi-space-size=8'],
  };
  return rig.withQuery(
    table,
    async (query) => {
      const costs: PageCost[] = [];
      for (const [what, path] of pages) {
        const cost = await costOf(query, { what, path, repetitions });
        print(`${what}: ${describe(cost)}`);
        costs.push(cost);
      }
      const times: NeighbourTimes[] = [];
      for (let turn = 1; turn <= repetitions; turn++) {
        const measured = await neighbourTimes(query);
        print(`neighbour, ${turn} of ${repetitions}: ${describeTimes(measured)}`);
        times.push(measured);
      }
      return sizeFindings(costs, times);
    },
    settings,
  );
}

function* wideBlocks(): Generator<object> {
  const readings = Array.from({ length: minutes }, (_, index): Reading => {
    const values = Array.from({ length: fields }, (_, field) => [
      `field-${field}`,
      ((index * 37 + field) % 1000) / 10,
    ]);
    return {
      time: start + index * minute,
      fields: Object.fromEntries(values) as Reading['fields'],
    };
  });
  for (const pack of packReadings(device, readings)) {
    yield attributesOf(blockItem({ device, readings: pack }));
  }
}

interface Page {
  what: string;
  path: string;
  repetitions: number;
}

/** The first request is not counted: it stores rollups, and its code is compiled. */
async function costOf(query: QueryProcess, { what, path, repetitions }: Page): Promise<PageCost> {
  const { body } = await query.client.ask(path);
  const { used } = await query.measure(() => query.client.askOften(path, repetitions));
  const { cpu, readUnits } = used;
  return {
    what,
    bytes: Buffer.byteLength(body),
    cpuMs: cpu / repetitions / 1000,
    readUnits: readUnits / repetitions,
  };
}

async function neighbourTimes(query: QueryProcess): Promise<NeighbourTimes> {
  const neighbour = new SerialClient(query.url, { 'x-forwarded-for': '192.0.2.1' });
  const headers = { 'x-forwarded-for': '192.0.2.2' };
  try {
    const quiet = median(await neighbour.askOften(small, 200));
    let left = largeRequests;
    const large = Array.from({ length: largeRequests }, async () => {
      const answer = await fetch(query.url + largest, { headers });
      await answer.arrayBuffer();
      left -= 1;
      if (!answer.ok) throw new Error(`${largest}: ${answer.status}`);
    });
    const beside: number[] = [];
    while (left > 0) beside.push((await neighbour.ask(small)).milliseconds);
    await Promise.all(large);
    return { quiet, beside: median(beside), longest: Math.max(...beside), requests: beside.length };
  } finally {
    await neighbour.close();
  }
}

function describe({ bytes, cpuMs, readUnits }: PageCost): string {
  return `${bytes} bytes, ${cpuMs.toFixed(1)} ms of CPU, ${readUnits} read units`;
}

function describeTimes({ quiet, beside, longest, requests }: NeighbourTimes): string {
  return `p50 ${quiet.toFixed(2)} ms alone, ${beside.toFixed(2)} ms beside (${requests} requests, longest ${longest.toFixed(0)} ms)`;
}
