import { aReading, openBeforeAll, someOrAll } from '@engawa/testing';
import fc from 'fast-check';
import { nasty } from './nasty-texts.ts';
import { QueryFixture, single } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);

const routes = [
  { path: (id: string) => `/v1/devices/${id}/latest`, names: ['limit'] },
  { path: () => '/v1/latest', names: ['device', 'readings', 'limit', 'cursor'] },
  { path: (id: string) => `/v1/rooms/home/${id}/latest`, names: ['readings', 'limit', 'cursor'] },
  { path: (id: string) => `/v1/rooms/${id}/hall/latest`, names: ['readings', 'limit', 'cursor'] },
  { path: (id: string) => `/v1/places/${id}/latest`, names: ['readings', 'limit', 'cursor'] },
  ...['devices', 'places', 'rooms/home'].map((owner) => ({
    path: (id: string) => `/v1/${owner}/${id}/readings`,
    names: ['from', 'to', 'fields', 'order', 'limit', 'cursor', 'resumable'],
  })),
  ...['devices', 'places', 'rooms/home'].map((owner) => ({
    path: (id: string) => `/v1/${owner}/${id}/aggregates`,
    names: [
      ...['from', 'to', 'every', 'fn', 'fields', 'timeZone', 'wrapsAt', 'reset'],
      ...['limit', 'cursor', 'resumable'],
    ],
  })),
];

const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ maxLength: 200 }).map((each) => Buffer.from(each).toString('base64url')),
);

/** What there is, now and then, so that what is behind the checks of one parameter is reached too. */
const usual: Record<string, string> = {
  from: '2026-11-20T09:00:00Z',
  to: '2026-11-20T10:00:00Z',
  fields: 'temperature',
  order: 'desc',
  limit: '2',
  readings: '2',
  every: 'P1D',
  fn: 'avg,increase',
  timeZone: 'Asia/Kolkata',
};

const question = fc.record({
  route: fc.constantFrom(...routes),
  id: fc.oneof(text, fc.constantFrom('climate-1', 'hall', 'home')),
  given: fc.array(
    fc.oneof(
      fc.constantFrom(...Object.keys(usual)).map((name) => [name, usual[name] ?? ''] as const),
      fc.tuple(fc.constantFrom(...Object.keys(usual), 'cursor', 'device'), text),
      fc.tuple(text, text),
    ),
    { maxLength: 5 },
  ),
});

describe('the query service', () => {
  const query = openBeforeAll(() => QueryFixture.open());
  beforeAll(async () => {
    await query.place({ id: 'climate-1', blocks: single([aReading({ time: start })]) });
    await query.settle({ place: 'home', room: 'hall', device: 'climate-1', since: 0 });
  });

  // `ask` checks each answer, also a problem, against the contract.
  it('answers as its OpenAPI document says, never 5xx, to hostile values of each parameter', async () => {
    for (const { path, names } of routes) {
      for (const value of nasty) {
        const id = encodeURIComponent(value.toWellFormed());
        if (value !== '' && value !== '..') await expectNoFault(path(id));
        for (const name of names) {
          const search = new URLSearchParams({ [name]: value }).toString();
          await expectNoFault(`${path('climate-1')}?${search}`);
        }
      }
    }
  });

  it('answers as its OpenAPI document says, never 5xx, to random requests', async () => {
    await fc.assert(
      fc.asyncProperty(question, async ({ route, id, given }) => {
        const segment = encodeURIComponent(id.toWellFormed());
        fc.pre(!['', '.', '..'].includes(id));
        const search = new URLSearchParams(
          given.map(([name, value]): [string, string] => [name, value]),
        ).toString();
        await expectNoFault(`${route.path(segment)}?${search}`);
      }),
      { numRuns: someOrAll(200, 1500) },
    );
  });

  it.each(['%', '%ff', '%c0%af', '&&', '=', '?', 'limit', 'limit=%31'])(
    'answers the query string %s',
    async (search) => expectNoFault(`/v1/devices/climate-1/readings?${search}`),
  );

  async function expectNoFault(path: string): Promise<void> {
    const { status, text } = await query.ask(path);
    if (status >= 500) throw new Error(`${status} for ${path}: ${text}`);
  }
});
