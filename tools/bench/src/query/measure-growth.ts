import { hour, hours, lastMonth, monthPath } from './month.ts';
import { deviceOf, singleBlocks } from './series.ts';
import type { Finding, Print } from '../report.ts';
import type { QueryOptions } from './options.ts';
import type { QueryProcess, Usage } from './query-process.ts';
import type { BenchTable, QueryRig } from './rig.ts';

const device = 'growth';
const minute = 60_000;
/** Devices besides the queried one. */
const others = 100;
/** Readings of an hour at one a minute. */
const hourly = 60;

/** The requests at each size, in this order. */
const requestNames = ['the latest 10', 'an hour of 60 readings', 'a month by the hour'] as const;
type RequestName = (typeof requestNames)[number];

interface Size {
  readings: number;
  costs: Record<RequestName, Usage>;
  answers: string[];
}

/**
 * The same requests to a growing table: half of the added readings are older ones of the queried device, half belong to
 * other devices. Each size has a new service with empty caches.
 */
export async function measureGrowth(
  rig: QueryRig,
  { large }: QueryOptions,
  print: Print,
): Promise<Finding[]> {
  const table = await rig.createTable('bench-growth');
  const month = lastMonth(Date.now());
  const filling = new Filling(table, month);
  const sizes: Size[] = [];
  for (const readings of large ? [1e3, 1e5, 1e6] : [1e3, 1e5]) {
    await filling.growTo(readings);
    const size = await rig.withQuery(table, (query) => askAll(query, readings, month));
    for (const question of requestNames) {
      print(`growth, ${readings} readings, ${question}: ${describe(size.costs[question])}`);
    }
    sizes.push(size);
  }
  return requestNames.map((question, index) => findingOf(question, index, sizes));
}

interface Month {
  from: number;
  to: number;
}

/** Writes the readings. */
class Filling {
  readonly #table: BenchTable;
  readonly #month: Month;
  #older = 0;
  #ofOthers = 0;
  #stored = 0;

  constructor(table: BenchTable, month: Month) {
    this.#table = table;
    this.#month = month;
  }

  async growTo(readings: number): Promise<void> {
    if (this.#stored === 0) await this.#begin();
    // The first size has little more than the queried readings; the rest belongs to other devices.
    const older = this.#stored < 1000 ? 0 : (readings - this.#stored) >> 1;
    await this.#addOlder(older);
    await this.#addOthers(readings - this.#stored - older);
    this.#stored = readings;
  }

  /** The month: a reading an hour, and a reading a minute in the last hour. */
  async #begin(): Promise<void> {
    const { from, to } = this.#month;
    await this.#table.items.store([deviceOf(device)]);
    const names = Array.from({ length: others }, (_, index) => deviceOf(otherName(index)));
    await this.#table.items.store(names);
    await this.#store(device, { start: from, step: hour, count: hours - 1 });
    await this.#store(device, { start: to - hour, step: minute, count: hourly });
    this.#stored = hours - 1 + hourly;
  }

  /** A reading a minute, further and further back from the month. */
  async #addOlder(count: number): Promise<void> {
    this.#older += count;
    await this.#store(device, {
      start: this.#month.from - this.#older * minute,
      step: minute,
      count,
    });
  }

  async #addOthers(count: number): Promise<void> {
    for (let index = 0; index < others; index++) {
      const share =
        Math.floor((count * (index + 1)) / others) - Math.floor((count * index) / others);
      const start = this.#month.to - (this.#ofOthers + count) * minute;
      await this.#store(otherName(index), { start, step: minute, count: share });
    }
    this.#ofOthers += count;
  }

  #store(id: string, series: { start: number; step: number; count: number }): Promise<void> {
    return this.#table.items.store(singleBlocks(id, series));
  }
}

function otherName(index: number): string {
  return `other-${index}`;
}

async function askAll(query: QueryProcess, readings: number, { from, to }: Month): Promise<Size> {
  const [start, end] = [to - hour, to].map((time) => new Date(time).toISOString());
  const paths: Record<RequestName, string> = {
    'the latest 10': `/v1/devices/${device}/latest?limit=10`,
    'an hour of 60 readings': `/v1/devices/${device}/readings?from=${start}&to=${end}&limit=1000`,
    'a month by the hour': monthPath({ device, from, to, functions: 'avg' }),
  };
  const costs: Partial<Record<RequestName, Usage>> = {};
  const answers: string[] = [];
  for (const question of requestNames) {
    const path = paths[question];
    // The first request computes the rollups; the cost of later requests is compared.
    if (question === 'a month by the hour') await query.client.ask(path);
    const { used, result } = await query.measure(() => query.client.ask(path));
    costs[question] = used;
    answers.push(result.body);
  }
  return { readings, costs: costs as Record<RequestName, Usage>, answers };
}

function describe({ requests, readUnits }: Usage): string {
  return `${requests} request${requests === 1 ? '' : 's'}, ${readUnits} read units`;
}

function findingOf(question: RequestName, index: number, sizes: readonly Size[]): Finding {
  const costs = sizes.map(({ readings, costs }) => ({
    readings: readings.toLocaleString('en'),
    cost: describe(costs[question]),
  }));
  const answers = new Set(sizes.map(({ answers }) => answers[index]));
  if (answers.size > 1) throw new Error(`${question}: not the same answer in a larger table`);
  const same = new Set(costs.map(({ cost }) => cost)).size === 1;
  return {
    what: `growth, ${question}, at ${costs.map(({ readings }) => readings).join(' → ')} readings`,
    measured: same ? (costs[0]?.cost ?? '') : costs.map(({ cost }) => cost).join(' → '),
    baseline: '',
    ratio: '',
    target: 'unchanged',
    reached: same,
  };
}
