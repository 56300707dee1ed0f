import { Heat, keyNamer } from '@engawa/heat';
import { pino } from 'pino';
import { HeatRecorder } from '../src/heat/heat-recorder.ts';
import { until } from './table-fixture.ts';
import type { HistoryRow, KeyNaming } from '@engawa/heat';

const log = pino({ level: 'silent' });
const recorders: HeatRecorder[] = [];
afterEach(() => recorders.splice(0).forEach((recorder) => recorder.close()));

function begin(keys: KeyNaming) {
  const heat = new Heat({ limits: { read: 3000, write: 1000 } });
  const nameOf = keyNamer({ naming: keys, secret: 'of this test' });
  const recorder = new HeatRecorder({ heat, keys, nameOf, log });
  recorders.push(recorder);
  const used = (index: string, partition: string) =>
    heat.used({ index, unit: 'write', partition }, 2, performance.now());
  return { recorder, used };
}

const namesOf = (rows: readonly HistoryRow[]) => rows.map(({ partition }) => partition);

it.each([
  ['shown', ['DEVICE#a', 'DEVICE#b', 'LIST#DEVICE#0'], 'DEVICE#a'],
  [
    'hashed',
    [/^DEVICE#[0-9a-f]{12}$/, /^DEVICE#[0-9a-f]{12}#1$/, 'LIST#DEVICE#0'],
    /^DEVICE#[0-9a-f]{12}$/,
  ],
  ['hidden', ['DEVICE', 'DEVICE', 'LIST#DEVICE#0'], 'DEVICE'],
] as const)('names keys and reshards as configured: %s', async (keys, names, device) => {
  const { recorder, used } = begin(keys);
  used('table', 'DEVICE#a');
  used('table', 'DEVICE#b#1');
  used('gsi1', 'LIST#DEVICE#0');
  recorder.resharded({ of: { devicePartition: 'DEVICE#a' }, from: 1, to: 2 });
  recorder.resharded({ of: { family: 'LIST#DEVICE' }, from: 2, to: 4 });
  const report = () => recorder.report({ resolution: 'second' });
  await until(() => report().rows.length === 3);
  const matching = (text: string | RegExp) => expect.stringMatching(text) as unknown;
  const { rows, reshards } = report();
  expect(namesOf(rows)).toEqual(names.map(matching));
  expect(rows).toMatchObject([
    { kind: 'device', family: 'DEVICE', merged: false, writes: [{ values: [2] }] },
    { kind: 'device', family: 'DEVICE' },
    { kind: 'list', family: 'LIST#DEVICE' },
  ]);
  expect(reshards).toMatchObject([
    { family: matching(device), from: 1, to: 2 },
    { family: 'LIST#DEVICE', from: 2, to: 4 },
  ]);
});

it('records each second once, and reports the columns from a time on', async () => {
  const { recorder, used } = begin('shown');
  const begun = Date.now();
  let uses = 0;
  const values = () =>
    recorder
      .report({ resolution: 'second', fromMs: begun })
      .rows.flatMap(({ writes }) => writes.flatMap((run) => run.values));
  await until(() => {
    used('table', 'DEVICE#a');
    uses += 1;
    return values().filter((value) => value > 0).length >= 3;
  });
  const recorded = () => values().reduce((sum, value) => sum + value, 0);
  await until(() => recorded() === 2 * uses);
  const later = recorder.report({ resolution: 'second', fromMs: Date.now() + 60_000 });
  expect(later).toMatchObject({ columns: 0, rows: [] });
});

it('keeps the latest reshards', () => {
  const { recorder } = begin('shown');
  for (let to = 1; to <= 300; to++) recorder.resharded({ of: { family: 'LIST' }, from: 1, to });
  const { reshards } = recorder.report({ resolution: 'minute' });
  expect(reshards).toHaveLength(200);
  expect(reshards.at(-1)).toMatchObject({ to: 300 });
});
