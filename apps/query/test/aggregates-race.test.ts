import { randomUUID } from 'node:crypto';
import { Problem } from '@engawa/errors';
import { RequestBudget } from '@engawa/http';
import { blockItem, deviceItem, invalidRollupItem } from '@engawa/model';
import { aDevice, openBeforeAll, someOrAll } from '@engawa/testing';
import { pino } from 'pino';
import { DeviceSummaries } from '../src/aggregates/device-summaries.ts';
import { PageProgress } from '../src/aggregates/page-progress.ts';
import type { Put, Table } from '@engawa/table';
import { openTable } from './table.ts';
import { inTurn, orders, Turns } from './turns.ts';
import type { ControlledTable } from './turns.ts';

const log = pino({ enabled: false });
const day = Date.UTC(2026, 10, 10);
const hour = day + 9 * 3_600_000;
const now = () => day + 10 * 86_400_000;

type TableStep = () => Promise<unknown>;

const opened = openBeforeAll(openTable);
let table: Table;

beforeAll(() => {
  ({ table } = opened);
});

/** As ingestion stores them. */
function store(device: string, time: number, power: number): Promise<void> {
  return table.put(blockItem({ device, readings: [{ time, fields: { power } }] }));
}

/** A late reading as ingestion takes it in: it is stored, its hour made invalid, its day; then it is acknowledged. */
function lateReading(device: string): TableStep[] {
  const invalid = (width: 'PT1H' | 'P1D', start: number) =>
    table.put(invalidRollupItem(device, { width, start }, randomUUID()));
  return [
    () => store(device, hour + 1000, 0.2),
    () => invalid('PT1H', hour),
    () => invalid('P1D', day),
  ];
}

/** The sum of the day, as a question for it gives it. */
async function sumOfDay(device: string, asked: ControlledTable): Promise<unknown> {
  const [summary] = await new DeviceSummaries({ table: asked, now }).of({
    device,
    edges: [day, day + 86_400_000],
    atLeastUntil: day,
    budget: new RequestBudget({ deadlineMs: Infinity, maxUnits: Infinity }),
    progress: new PageProgress(false),
    signal: new AbortController().signal,
    log,
  });
  return summary?.fields.get('power')?.sum.value;
}

/** The same without a look at what was there when it writes. */
function withoutConditions(asked: ControlledTable): ControlledTable {
  return {
    ...asked,
    put: (item) => asked.put(item),
    transact: (writes) => asked.transact(writes.map((write) => ({ put: (write as Put).put }))),
  };
}

/** The same on an API without transactions, which says so at once. */
function withoutTransactions(asked: ControlledTable): ControlledTable {
  const refusal = new Problem('not-supported-by-table', 'There are none.');
  return { ...asked, transact: () => Promise.reject(refusal) };
}

/** Plays one order, and gives what the next question for the day says. */
async function play(
  order: readonly string[],
  protect: (asked: ControlledTable) => ControlledTable,
): Promise<unknown> {
  const device = randomUUID();
  await table.put(deviceItem(aDevice({ id: device }), { list: 1, seen: 1 }));
  await store(device, hour, 0.1);
  const turns = new Turns();
  const making = sumOfDay(device, protect(inTurn(table, turns)));
  const late = lateReading(device);
  for (const who of order) {
    if (who === 'writer') await late.shift()?.();
    else await turns.give(making);
  }
  await turns.free(making);
  await making;
  return sumOfDay(device, table);
}

/** The days, the hours, the device, its readings, and the write of the rollups. */
const requestsOfMaker = 5;
const all = played(orders(requestsOfMaker, lateReading('').length));

function played(interleavings: string[][]): string[][] {
  return someOrAll(
    interleavings.filter((_, index) => index % 3 === 0),
    interleavings,
  );
}

it('a late reading is in the next response, for every interleaving with the making of a rollup', async () => {
  const answers = new Set<unknown>();
  for (const order of all) answers.add(await play(order, (asked) => asked));
  expect([...answers]).toEqual([0.3]);
});

it('the same without transactions, where each rollup is written by itself', async () => {
  // The hour and the day are one request each.
  const answers = new Set<unknown>();
  for (const order of played(orders(requestsOfMaker + 1, lateReading('').length))) {
    answers.add(await play(order, withoutTransactions));
  }
  expect([...answers]).toEqual([0.3]);
});

it.each([
  ['', withoutConditions],
  [', one by one', (asked: ControlledTable) => withoutTransactions(withoutConditions(asked))],
])(
  'and would not be, if rollups were written without a look at their version%s',
  async (_, protect) => {
    const answers = new Set<unknown>();
    for (const order of all) answers.add(await play(order, protect));
    expect(answers).toContain(0.1);
  },
);
