import { devicePartition } from '@engawa/keys';
import { blockItem, correctionItem, deviceItem } from '@engawa/model';
import { queryAll } from '@engawa/table';
import { aDevice, until } from '@engawa/testing';
import { Backends } from '../backends.ts';
import { ask, RunningService } from '../running-service.ts';
import type { Correction } from '@engawa/model';
import type { JsonRequest } from '../running-service.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Math.floor(Date.now() / day) * day - 10 * day;
const iso = (time: number) => new Date(time).toISOString();

let backends: Backends;
let services: Record<'registry' | 'query', RunningService>;
/** Milliseconds on query's clock. */
let clock = 0;
beforeAll(async () => {
  backends = await Backends.start();
  const { environment } = backends;
  const now = () => clock;
  services = {
    registry: await RunningService.start('registry', { environment }),
    query: await RunningService.start('query', { environment, now }),
  };
});
afterAll(async () => {
  for (const service of Object.values(services)) await service.close();
  await backends.close();
});

/** As earlier releases stored them: without rows. */
function earlier(device: string, count: number): Correction[] {
  return Array.from({ length: count }, (_, index) => {
    const from = start - (index + 2) * hour;
    const what = { operation: 'delete' as const, from, to: from + 1, why: 'a spike', madeAt: from };
    return { device, id: `e${String(index).padStart(5, '0')}`, sequence: index + 1, ...what };
  });
}

/** A device with 24 readings on one day, and so many corrections of other days. */
async function seed(id: string, count: number): Promise<void> {
  const writer = backends.table.batchWriter();
  const blocks = Array.from({ length: 24 }, (_, index) =>
    blockItem({
      device: id,
      readings: [{ time: start + (index + 0.5) * hour, fields: { power: 1 } }],
    }),
  );
  const corrections = { version: 'earlier', made: count };
  const items = [
    ...blocks,
    ...earlier(id, count).map(correctionItem),
    deviceItem(aDevice({ id, ...(count > 0 && { corrections }) }), { list: 1, seen: 1 }),
  ];
  await Promise.all(items.map((item) => writer.put({ ...item })));
  writer.close();
}

const pathOf = (device: string, id = '') => `/v1/devices/${device}/corrections${id && `/${id}`}`;

const registry = (path: string, request: JsonRequest = {}) =>
  ask(services.registry.url + path, request);

async function count(device: string): Promise<{ count: unknown; units: number }> {
  clock += 10_000;
  const range = { from: iso(start), to: iso(start + day), every: 'P1D', fn: 'count' };
  const search = new URLSearchParams(range).toString();
  const answer = await fetch(`${services.query.url}/v1/devices/${device}/aggregates?${search}`);
  const { items } = (await answer.json()) as { items: { fields: { power: { count: number } } }[] };
  return {
    count: items[0]?.fields.power.count,
    units: Number(/^read=([\d.]+)/.exec(answer.headers.get('engawa-units') ?? '')?.[1]),
  };
}

async function idsOf(device: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const search = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) }).toString();
    const { body } = await registry(`${pathOf(device)}?${search}`);
    const page = body as { items: { id: string }[]; cursor?: string };
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return ids;
}

const ofTheDay = (hours: number) => ({
  ...{ operation: 'delete', from: iso(start + hours * hour), why: 'a spike' },
  to: iso(start + (hours + 1) * hour),
});

const put = (device: string, id: string, body: object) =>
  registry(pathOf(device, id), { method: 'PUT', body });

it('the 1,500th correction of a device is made, applied, listed and undone', async () => {
  await seed('meter', 1499);
  expect((await count('meter')).count).toBe(24);
  expect((await put('meter', 'one', ofTheDay(2))).status).toBe(201);
  expect((await put('meter', 'one', ofTheDay(2))).status).toBe(200);
  expect((await put('meter', 'two', ofTheDay(5))).status).toBe(201);
  expect((await count('meter')).count).toBe(22);
  const ids = await idsOf('meter');
  expect([ids.length, ids.slice(-2)]).toEqual([1501, ['one', 'two']]);
  expect((await registry(pathOf('meter', 'one'), { method: 'DELETE' })).status).toBe(204);
  expect((await count('meter')).count).toBe(23);
});

it('a correction of an earlier release is applied and undone after its row was written', async () => {
  await seed('older', 150);
  const [first] = earlier('older', 1);
  const spike = { ...first, id: 'spike', from: start, to: start + 3 * hour, sequence: 151 };
  await backends.table.put({ ...correctionItem(spike as Correction) });
  expect((await put('older', 'another', ofTheDay(20))).status).toBe(201);
  expect((await count('older')).count).toBe(20);
  await registry(pathOf('older', 'spike'), { method: 'DELETE' });
  expect((await count('older')).count).toBe(23);
});

it('a day costs as many units beside 1,500 corrections of other days as without, and one', async () => {
  await seed('plain', 0);
  await seed('corrected', 1499);
  await put('corrected', 'far', { ...ofTheDay(0), from: iso(start - day), to: iso(start - hour) });
  await count('plain');
  await count('corrected');
  const plain = await count('plain');
  expect(await count('corrected')).toEqual(plain);
  await put('corrected', 'farther', {
    ...ofTheDay(0),
    from: iso(start - 9 * day),
    to: iso(start - 8 * day),
  });
  const next = await count('corrected');
  expect(next.count).toBe(24);
  expect(next.units).toBeLessThanOrEqual(plain.units + 3);
});

it('concurrent corrections and undos of a device without rows leave rows of all of them', async () => {
  await seed('busy', 150);
  const ids = Array.from({ length: 4 }, (_, index) => `new${index}`);
  const undone = ['e00003', 'e00149'];
  const answers = await Promise.all([
    ...ids.map((id, index) => put('busy', id, ofTheDay(index))),
    ...undone.map((id) => registry(pathOf('busy', id), { method: 'DELETE' })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([...ids.map(() => 201), 204, 204]);
  const all = await itemsIn('busy', '#COR');
  const withoutKey = (item: Record<string, unknown>) => ({
    ...item,
    sk: String(item['sk']).split('#').at(-1),
  });
  const isRow = ({ sk }: Record<string, unknown>) => String(sk).startsWith('#CORROW#');
  const rows = all.filter(isRow).map(withoutKey);
  const items = all.filter((item) => !isRow(item)).map(withoutKey);
  expect(rows).toHaveLength(154);
  const bySequence = (left: Record<string, unknown>, right: Record<string, unknown>) =>
    Number(left['sequence']) - Number(right['sequence']);
  expect(rows.sort(bySequence)).toEqual(items.sort(bySequence));
  expect((await count('busy')).count).toBe(20);
});

it('the rows of a deleted device are purged', async () => {
  await seed('gone', 120);
  await put('gone', 'one', ofTheDay(1));
  expect(await itemsIn('gone', '#COR')).toHaveLength(242);
  await registry('/v1/devices/gone', { method: 'DELETE' });
  await until(
    'the corrections are purged',
    async () => (await itemsIn('gone', '#COR')).length === 0,
  );
});

function itemsIn(device: string, beginsWith: string) {
  const request = { pk: devicePartition(device), sk: { beginsWith }, consistent: true };
  return queryAll(backends.table, request);
}
