import { membershipItem } from '@engawa/model';
import { openBeforeAll, TokenIssuer, until } from '@engawa/testing';
import { Services } from '../services.ts';

const hour = 3_600_000;
const start = Math.floor(Date.now() / hour) * hour - 30 * hour;
const iso = (time: number) => new Date(time).toISOString();
const allScopes = ['ingestion', 'registry', 'query'].map((name) => `${name}:admin`).join(' ');

const issuer = openBeforeAll(() => TokenIssuer.start());
const services = openBeforeAll(() =>
  Services.start({ ...issuer.environment, AUTH_PLACES_CLAIM: 'places' }),
);

interface RequestOptions {
  service?: keyof Services['urls'];
  method?: string;
  body?: unknown;
  /** Subject and places of the token. */
  sub?: string;
  places?: string;
  scope?: string;
}

async function ask(path: string, asked: RequestOptions = {}) {
  const {
    service = 'registry',
    method = 'GET',
    body,
    sub,
    places = '*',
    scope = allScopes,
  } = asked;
  const token = await issuer.token({ sub, places, scope });
  const answer = await fetch(services.urls[service] + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as unknown };
}

const path = (device: string, id = '') => `/v1/devices/${device}/corrections${id && `/${id}`}`;
const deletion = (from: number, to: number) => ({
  ...{ operation: 'delete', from, to, fields: ['power'], why: 'a test' },
});

/** One reading per minute over ten hours, each with a power of 1, in batches of an hour. */
const batches = (device: string) =>
  Array.from({ length: 10 }, (_, hours) =>
    Array.from({ length: 60 }, (_, minute) => {
      return { device, ts: start + hours * hour + minute * 60_000, power: 1, energy: minute };
    }),
  );

async function sums(device: string): Promise<unknown> {
  const range = { from: iso(start), to: iso(start + 10 * hour) };
  const question = new URLSearchParams({ ...range, every: 'PT1H', fn: 'sum' }).toString();
  const answer = await ask(`/v1/devices/${device}/aggregates?${question}`, { service: 'query' });
  const buckets = Object.values(answer.body as object).find(Array.isArray) as {
    fields: { power?: { sum: number } };
  }[];
  return buckets.map(({ fields }) => fields.power?.sum ?? 0);
}

it('a correction records its author and who reverted it, and requires a write scope', async () => {
  await ask('/v1/devices/meter', { method: 'PUT', body: {} });
  const body = deletion(start, start + hour);
  const reader = { method: 'PUT', body, scope: 'registry:read' };
  expect((await ask(path('meter', 'one'), reader)).status).toBe(403);
  expect((await ask(path('meter', 'one'), { method: 'PUT', body, sub: 'alice' })).status).toBe(201);
  await ask(path('meter', 'one'), { method: 'DELETE', sub: 'bob' });
  const { items } = (await ask(path('meter'))).body as { items: unknown[] };
  expect(items).toEqual([
    expect.objectContaining({ id: 'one', by: 'alice', undoneBy: 'bob', why: 'a test' }),
  ]);
});

it('a caller restricted to places corrects readings of those places, and sees no other correction', async () => {
  await ask('/v1/places/mine', { method: 'PUT', body: { name: 'Mine' } });
  await ask('/v1/devices/mover', { method: 'PUT', body: {} });
  const came = start + 5 * hour;
  const before = { place: 'theirs', device: 'mover', since: start, until: came };
  await services.table.put({ ...membershipItem(before) });
  const move = { method: 'PUT', body: { since: iso(came) } };
  expect((await ask('/v1/places/mine/devices/mover', move)).status).toBe(200);
  const make = async (id: string, from: number, to: number, places: string) =>
    (await ask(path('mover', id), { method: 'PUT', body: deletion(from, to), places })).status;
  await make('of-them', came - hour, came, '*');
  await until('the move in the history', async () => {
    return (await make('own', came, came + hour, 'mine')) < 300;
  });
  expect(await make('before', came - hour, came, 'mine')).toBe(400);
  expect(await make('early', came - 1, came + hour, 'mine')).toBe(201);
  expect(await make('elsewhere', came, came + hour, 'theirs')).toBe(404);
  const list = (await ask(path('mover'), { places: 'mine' })).body as { items: object[] };
  expect(list.items).toMatchObject([
    { id: 'early', appliesTo: [{ from: iso(came), to: iso(came + hour) }] },
    { id: 'own' },
  ]);
  for (const method of ['GET', 'DELETE']) {
    const statuses = ['of-them', 'none'].map(async (id) => {
      return (await ask(path('mover', id), { method, places: 'mine' })).status;
    });
    expect(await Promise.all(statuses)).toEqual([404, 404]);
  }
});

it('readings that arrive during their correction, or twice, are returned corrected', async () => {
  const send = (readings: object[]) =>
    ask('/v1/readings', { service: 'ingestion', method: 'POST', body: readings });
  const [first = [], ...others] = batches('busy');
  expect((await send(first)).status).toBe(202);
  const correct = (id: string, from: number, to: number) =>
    ask(path('busy', id), { method: 'PUT', body: deletion(from, to) });
  const done = await Promise.all([
    ...others.map(send),
    correct('one', start + 1.5 * hour, start + 3 * hour),
    ...others.map(() => sums('busy').then(() => ({ status: 200 }))),
    correct('two', start + 7 * hour, start + 8.25 * hour),
    ask(path('busy', 'three'), {
      method: 'PUT',
      body: {
        ...{ ...deletion(start, start + hour), operation: 'replace' },
        readings: [{ time: start, fields: { power: 500 } }],
      },
    }),
  ]);
  expect(new Set(done.map(({ status }) => status))).toEqual(new Set([200, 201, 202]));
  const expected = [500, 30, 0, 60, 60, 60, 60, 0, 45, 60];
  await until('the corrections', async () => String(await sums('busy')) === String(expected));
  await Promise.all(batches('busy').map((batch) => send([...batch, ...batch.slice(0, 7)])));
  expect(await sums('busy')).toEqual(expected);
  await ask(path('busy', 'one'), { method: 'DELETE' });
  const undone = [500, 60, 60, ...expected.slice(3)];
  await until('the undoing', async () => String(await sums('busy')) === String(undone));
});
