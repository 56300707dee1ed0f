import { randomUUID } from 'node:crypto';
import { RequestBudget } from '@engawa/http';
import { blockItem, correctionItem, deviceItem, invalidRollupItem } from '@engawa/model';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { pino } from 'pino';
import { DeviceSummaries } from '../src/aggregates/device-summaries.ts';
import { PageProgress } from '../src/aggregates/page-progress.ts';
import { Corrections } from '../src/corrections/corrections.ts';
import { uncachedCorrections } from '../src/devices/device-store.ts';
import { openTable } from './table.ts';
import { inTurn, orders, Turns } from './turns.ts';
import type { Correction } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { ControlledTable } from './turns.ts';

const log = pino({ enabled: false });
const day = Date.UTC(2026, 10, 10);
const hour = day + 9 * 3_600_000;
const now = () => day + 10 * 86_400_000;

const opened = openBeforeAll(openTable);
let table: Table;

beforeAll(() => {
  ({ table } = opened);
});

function store(device: string, time: number, power: number): Promise<void> {
  return table.put(blockItem({ device, readings: [{ time, fields: { power } }] }));
}

function spikeOf(device: string): Correction {
  const range = { from: hour + 500, to: hour + 501 };
  return { device, id: 'spike', sequence: 1, operation: 'delete', ...range, why: 'x', madeAt: 0 };
}

/** As the registry: in one transaction with the device, which gets another version. */
function correct(device: string, made: Partial<Correction> = {}): Promise<void> {
  const correction = { ...spikeOf(device), ...made };
  const corrections = { version: randomUUID(), made: 1 };
  const item = deviceItem(aDevice({ id: device, corrections }), { list: 1, seen: 1 });
  return table.transact([{ put: correctionItem(correction) }, { put: item }]);
}

const undo = (device: string) => correct(device, { undoneAt: 1 });

/** As ingestion, while the other things happen. */
function lateReading(device: string): (() => Promise<void>)[] {
  const invalid = (width: 'PT1H' | 'P1D', start: number) =>
    table.put(invalidRollupItem(device, { width, start }, randomUUID()));
  return [
    () => store(device, hour + 1000, 0.2),
    () => invalid('PT1H', hour),
    () => invalid('P1D', day),
  ];
}

async function sumOfDay(device: string, asked: ControlledTable): Promise<unknown> {
  const summaries = new DeviceSummaries({
    table: asked,
    corrections: uncachedCorrections(asked),
    now,
  });
  const [summary] = await summaries.of({
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

interface Played {
  prepare: (device: string) => Promise<unknown>;
  others: (device: string) => (() => Promise<unknown>)[];
}

/** What the next question says after a maker of rollups was interrupted by the others in this order. */
async function play(
  order: readonly string[],
  { prepare, others }: Played,
  asked: ControlledTable = table,
): Promise<unknown> {
  const device = randomUUID();
  await table.put(deviceItem(aDevice({ id: device }), { list: 1, seen: 1 }));
  await store(device, hour, 0.1);
  await store(device, hour + 500, 99);
  await prepare(device);
  const turns = new Turns();
  const making = sumOfDay(device, inTurn(table, turns));
  const steps = others(device);
  for (const who of order) {
    if (who === 'writer') await steps.shift()?.();
    else await turns.give(making);
  }
  await turns.free(making);
  await making;
  return sumOfDay(device, asked);
}

/** The device, its corrections, the days, the hours, the device, its readings, and the write of the rollups. */
const requestsOfMaker = 7;

it.each<[string, unknown, Played]>([
  [
    'made while there are no rollups',
    0.1,
    { prepare: () => Promise.resolve(), others: (device) => [() => correct(device)] },
  ],
  [
    'made while there are rollups',
    0.1,
    {
      prepare: (device) => sumOfDay(device, table),
      others: (device) => [() => correct(device)],
    },
  ],
  [
    'undone',
    99.1,
    {
      prepare: async (device) => {
        await correct(device);
        await sumOfDay(device, table);
      },
      others: (device) => [() => undo(device)],
    },
  ],
  [
    'undone, and another made',
    0,
    {
      prepare: (device) => correct(device),
      others: (device) => [
        () => undo(device),
        () =>
          correct(device, {
            id: 'all',
            sequence: 2,
            from: day,
            to: hour + 1,
            operation: 'replace',
            readings: [{ time: hour, fields: { power: -99 } }],
          }),
      ],
    },
  ],
])(
  'a correction that is %s is in the next answer, however it and the making of a rollup are mixed',
  async (_, expected, played) => {
    const steps = played.others('').length;
    const answers = new Set<unknown>();
    for (const order of orders(requestsOfMaker, steps)) answers.add(await play(order, played));
    expect([...answers]).toEqual([expected]);
  },
);

it('so are a correction and a late reading at the same time', async () => {
  const answers = new Set<unknown>();
  const others = (device: string) => lateReading(device).toSpliced(1, 0, () => correct(device));
  for (const order of orders(requestsOfMaker, 4)) {
    answers.add(await play(order, { prepare: () => Promise.resolve(), others }));
  }
  expect([...answers].map((sum) => Number(sum).toFixed(3))).toEqual(['0.300']);
});

it('stale rollups would be returned if readers ignored the corrections of a rollup', async () => {
  const blind: ControlledTable = {
    get: (...given) => table.get(...given),
    put: (...given) => table.put(...given),
    transact: (writes) => table.transact(writes),
    query: async (question) => {
      const page = await table.query(question);
      const tag = new Corrections([spikeOf('')]).tagOf({ from: hour, to: hour + 3_600_000 });
      const named = page.items.map((item) =>
        'values' in item ? { ...item, corrections: tag ?? '' } : item,
      );
      return { ...page, items: named };
    },
  };
  const answers = new Set<unknown>();
  const others = (device: string) => [() => correct(device)];
  for (const order of orders(requestsOfMaker, 1)) {
    answers.add(await play(order, { prepare: () => Promise.resolve(), others }, blind));
  }
  expect(answers).toContain(99.1);
});
