import { createClient, declareType } from '../src/index.ts';
import { ScriptedServer, says } from './scripted-server.ts';

const Offer = declareType({
  name: 'Offer',
  attributes: [
    { name: '-50%', kind: 'boolean' },
    { name: 'price', kind: 'number' },
    { name: 'from', kind: 'instant' },
    { name: '色', kind: 'set' },
    { name: 'sale!', kind: 'boolean' },
  ],
  filters: [
    { attribute: '-50%' },
    { attribute: 'price' },
    { attribute: 'from' },
    { attribute: '色' },
    { attribute: 'sale!' },
  ],
});

let server: ScriptedServer;
beforeAll(async () => (server = await ScriptedServer.start()));
afterAll(() => server.close());

const offers = () => createClient({ url: server.url }).entities(Offer);

function sent(): [string, string][] {
  return [...new URL(server.seen.at(-1)?.url ?? '', 'http://a').searchParams];
}

it('writes filters, order and facets as parameters, and names with characters of a filter encoded', async () => {
  server.will(says(200, { items: [], facets: [] }));
  await offers()
    .searchTexts({
      q: 'lamp',
      filters: {
        '-50%': { equals: true },
        price: { atLeast: 12345678901234567890n, below: 2e19 },
        from: { above: new Date(0), atMost: '2026-11-29' },
        色: { oneOf: ['青', '赤=朱'], noneOf: ['白'], exists: true },
        'sale!': { equals: true, exists: false },
      },
      multiSelect: true,
      ...{ orderBy: '-50%', order: 'descending', facets: ['色'], timeZone: 'Asia/Tokyo', limit: 5 },
    })
    .page({ total: true });
  expect(sent()).toEqual([
    ['q', 'lamp'],
    ['type', 'Offer'],
    ['filter', '%2D50%25=true'],
    ['filter', 'price>=12345678901234567890'],
    ['filter', 'price<20000000000000000000'],
    ['filter', 'from>1970-01-01T00:00:00.000Z'],
    ['filter', 'from<=2026-11-29'],
    ['filter', '色'],
    ['filter', '色=青'],
    ['filter', '色=赤=朱'],
    ['filter', '色!=白'],
    ['filter', '!sale%21'],
    ['filter', 'sale%21=true'],
    ['timeZone', 'Asia/Tokyo'],
    ['order', '-%2D50%25'],
    ['facet', '色'],
    ['multiSelect', 'true'],
    ['total', 'true'],
    ['limit', '5'],
  ]);
});

it('sends no request for a choice without values, which would find everything', () => {
  expect(() => offers().searchTexts({ filters: { 色: { oneOf: [] } } })).toThrow(
    'oneOf of 色 must have a value',
  );
});

it('iterates over all pages', async () => {
  server.will(
    says(200, { items: [{ type: 'Offer', id: 'a' }], cursor: 'next' }),
    says(200, { items: [{ type: 'Offer', id: 'b' }] }),
  );
  const ids = [];
  for await (const { id } of offers().searchTexts({ orderBy: 'price' })) ids.push(id);
  expect(ids).toEqual(['a', 'b']);
  expect(sent()).toEqual([
    ['type', 'Offer'],
    ['order', 'price'],
    ['cursor', 'next'],
  ]);
});
