import { randomUUID } from 'node:crypto';
import { devicePartition, rollupRange } from '@engawa/keys';
import { blockItem, invalidRollupItem } from '@engawa/model';
import { attributesOf } from '../attributes.ts';
import { median } from '../statistics.ts';
import { checkSums, day, everyMinute, hour, hours, lastMonth, monthPath } from './month.ts';
import { monthFindings } from './month-findings.ts';
import { deviceOf, packedBlocks, readingAt, singleBlocks } from './series.ts';
import type { ReaderMethods } from '../children/reader.ts';
import type { Finding, Print } from '../report.ts';
import type { Cost, MonthCosts } from './month-findings.ts';
import type { Worker } from '../worker.ts';
import type { QueryOptions } from './options.ts';
import type { QueryProcess } from './query-process.ts';
import type { BenchTable, QueryRig } from './rig.ts';
import type { Series } from './series.ts';

/** How a month is stored. */
interface Shape {
  name: string;
  id: string;
  blocks: (device: string, series: Series) => Iterable<object>;
  /** Time span of its longest block in milliseconds. */
  span: number;
}

/** Readings of an array. */
const packed = 60;

const shapes: readonly Shape[] = [
  { name: 'single readings', id: 'month-single', blocks: singleBlocks, span: 0 },
  {
    name: `arrays of ${packed}`,
    id: 'month-packed',
    blocks: (device, series) => packedBlocks(device, series, packed),
    span: hour,
  },
];

/** Requests after the first. */
const questionsLater = 50;

/** Hourly averages of a device's month: the first request, later ones, and one after a late reading. */
export async function measureMonth(
  rig: QueryRig,
  { repetitions }: QueryOptions,
  print: Print,
): Promise<Finding[]> {
  const table = await rig.createTable('bench-month');
  const reader = await rig.startReader(table);
  const findings: Finding[] = [];
  for (const shape of shapes) {
    const costs = await rig.withQuery(table, async (query) => {
      const all: MonthCosts[] = [];
      for (let repetition = 0; repetition <= repetitions; repetition++) {
        const which = repetition === 0 ? 'cold' : `${repetition} of ${repetitions}`;
        const one = await measureDevice({ table, reader, query, shape, number: repetition });
        print(`month, ${shape.name}, ${which}: ${describe(one)}`);
        all.push(one);
      }
      return all;
    });
    findings.push(...monthFindings(shape.name, costs));
  }
  return findings;
}

interface DeviceOptions {
  table: BenchTable;
  reader: Worker<ReaderMethods>;
  query: QueryProcess;
  shape: Shape;
  number: number;
}

async function measureDevice(options: DeviceOptions): Promise<MonthCosts> {
  const { table, reader, query, shape, number } = options;
  const device = `${shape.id}-${number}`;
  const { from, to } = lastMonth(Date.now());
  const series = everyMinute(from);
  await table.items.store([deviceOf(device, shape.span)]);
  await table.items.store(shape.blocks(device, series));
  const path = monthPath({ device, from, to, functions: 'avg' });
  const first = await costOf(query, path, 1);
  const baseline = await readRollups(reader, device);
  const later = await costOf(query, path, questionsLater);
  const lateHour = await storeLate(table, device, series);
  const late = await costOf(query, path, 1);
  const { body } = await query.client.ask(monthPath({ device, from, to, functions: 'count,sum' }));
  checkSums(body, (number) => {
    const inOrder = Array.from({ length: 60 }, (_, index) => number * 60 + index);
    return number === lateHour ? [...inOrder, series.count] : inOrder;
  });
  return { first, baseline, later, late };
}

/** Stores one more reading, half a minute after another one, as ingestion does. @returns the number of its hour */
async function storeLate({ items }: BenchTable, device: string, series: Series): Promise<number> {
  const start = series.start + 10 * day;
  const { fields } = readingAt(series, series.count);
  const block = blockItem({ device, readings: [{ time: start + 30_000, fields }] });
  const invalidHour = invalidRollupItem(device, { width: 'PT1H', start }, randomUUID());
  const invalidDay = invalidRollupItem(device, { width: 'P1D', start }, randomUUID());
  for (const item of [block, invalidHour, invalidDay]) await items.store([attributesOf(item)]);
  return (10 * day) / hour;
}

async function readRollups(reader: Worker<ReaderMethods>, device: string) {
  const { from, to } = lastMonth(Date.now());
  const { cpu, times, items } = await reader.call('read', {
    pk: devicePartition(device),
    ...rollupRange('PT1H', from, to - hour),
    descending: false,
    limit: 1000,
    count: questionsLater,
  });
  if (items !== hours) throw new Error(`there are ${items} rollups, not ${hours}`);
  return { cpu: cpu / questionsLater, milliseconds: median(times) };
}

async function costOf(query: QueryProcess, path: string, questions: number): Promise<Cost> {
  const { used, result } = await query.measure(() => query.client.askOften(path, questions));
  return {
    milliseconds: median(result),
    cpu: used.cpu / questions,
    requests: used.requests / questions,
    queries: used.queries / questions,
    readUnits: used.readUnits / questions,
  };
}

function describe({ first, baseline, later, late }: MonthCosts): string {
  const show = ({ milliseconds, cpu, requests, readUnits }: Cost) =>
    `${milliseconds.toFixed(1)} ms (CPU ${(cpu / 1000).toFixed(1)} ms, ${requests.toFixed(2)} requests, ` +
    `${readUnits.toFixed(1)} read units)`;
  return (
    `first ${show(first)}, later ${show(later)}, after a late reading ${show(late)}, ` +
    `bare SDK ${baseline.milliseconds.toFixed(1)} ms (CPU ${(baseline.cpu / 1000).toFixed(1)} ms); sums exact`
  );
}
