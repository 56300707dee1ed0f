import fc from 'fast-check';
import { startCatalog } from './catalog.ts';
import { declare, itemsOf, makeNamed, ownName, pathOf, put, quiet } from './entities.ts';
import type { Catalog } from './catalog.ts';

type Row = Record<string, unknown> & {
  attributes: Record<string, unknown>;
  relations: Record<string, unknown>;
};

/** Characters that normal forms replace, or that keys escape. */
const text = fc.string({
  unit: fc.constantFrom('a', 'é', 'e\u0301', '\ufa19', '\u212a', '\u0130', '#', '😀', '"'),
  maxLength: 4,
});
const number = fc.oneof(fc.integer(), fc.constantFrom(0.1, -1e100, 5e-120, 123456789.123));
const instant = fc
  .date({
    min: new Date(-62_167_219_200_000),
    max: new Date(253_402_300_799_999),
    noInvalidDate: true,
  })
  .map((date) => date.getTime());
const name = fc.constantFrom('x', 'é', 'add', 'set', 'constructor');
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, text, fc.boolean(), fc.integer(), tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  map: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
}));
const targets = ['t1', 't2', 't3'];
const link = fc.record({ id: fc.constantFrom(...targets), attributes: fc.record({ role: text }) });
const content = fc.record({
  attributes: fc.record(
    {
      title: text,
      size: number,
      live: fc.boolean(),
      born: instant,
      tags: fc.array(
        text.filter((one) => one !== ''),
        { maxLength: 3 },
      ),
      options: json.map,
      blocks: json.list,
      other: json.value,
    },
    { requiredKeys: ['title'] },
  ),
  relations: fc.record(
    {
      main: fc.constantFrom(...targets),
      some: fc.subarray(targets, { minLength: 1 }),
      linked: fc.uniqueArray(link, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
});

const attributes = [
  { name: 'title', kind: 'text' },
  { name: 'size', kind: 'number' },
  { name: 'live', kind: 'boolean' },
  { name: 'born', kind: 'instant' },
  { name: 'tags', kind: 'set' },
  { name: 'options', kind: 'map' },
  { name: 'blocks', kind: 'list' },
  { name: 'changedAt', kind: 'instant', automatic: 'updated' },
];

describe('answers that are sent back by every request that takes them', () => {
  let catalog: Catalog;
  let Thing: string;
  let Target: string;
  beforeAll(async () => {
    catalog = await startCatalog({ ...quiet, RATE_LIMIT_PER_MINUTE: '0' });
    [Thing, Target] = [ownName('Thing'), ownName('Target')];
    await declare(catalog, { [Target]: { attributes: [{ name: 'name', kind: 'text' }] } });
    await makeNamed(catalog, Target, targets);
    const relations = [
      { name: 'main', to: Target },
      { name: 'some', to: Target, many: true },
      { name: 'linked', to: Target, many: true, attributes: [{ name: 'role', kind: 'text' }] },
    ];
    const searches = [{ name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] }];
    const rankings = [{ name: 'bySize', attribute: 'size' }];
    const more = { searches, rankings, fullText: ['title', 'tags'], additional: true };
    await declare(catalog, { [Thing]: { attributes, relations, ...more } });
  });
  afterAll(() => catalog.close());

  const path = () => pathOf(Thing, '1');
  const read = async (address: string, headers = {}) =>
    (await catalog.ask(address, { headers })).body;
  const send = async (
    address: string,
    method: string,
    body: unknown,
    type = 'application/json',
  ) => {
    const answer = await catalog.ask(address, { method, headers: { 'content-type': type }, body });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };

  /** The entity in every answer that has it; some lack its relations to many. */
  async function answers(): Promise<Row[]> {
    const list = `/v1/entities/${Thing}`;
    const items = async (address: string) => ((await read(address)) as { items: Row[] }).items;
    const exported = await read(`${list}?whole=true`, { accept: 'application/x-ndjson' });
    const ranked = await items(`/v1/rankings/${Thing}/bySize?whole=true`);
    const related = await items(`/v1/entities/${Target}/t1/related/${Thing}?whole=true`);
    return [
      (await read(path())) as Row,
      ...(exported as Row[]),
      ...(await items(`${list}?whole=true`)),
      ...(await items(`${list}?id=1`)),
      ...(await items(`/v1/search/${Thing}/byTitle?whole=true`)),
      ...[...ranked, ...related].map(({ entity }) => entity as Row),
    ];
  }

  async function sendBack(entity: Row): Promise<void> {
    const { attributes, relations } = entity;
    await send(path(), 'PUT', entity);
    await send(path(), 'PATCH', { attributes, relations });
    await send(path(), 'PATCH', { attributes, relations }, 'application/merge-patch+json');
    await send('/v1/transactions', 'POST', { operations: [{ operation: 'put', ...entity }] });
    for (const existing of ['keep', 'replace']) {
      const address = `/v1/entities?existing=${existing}`;
      expect(await send(address, 'POST', [entity])).toMatchObject({ failed: 0 });
      const line = JSON.stringify(entity);
      expect(await send(address, 'POST', line, 'application/x-ndjson')).toMatchObject({
        failed: 0,
      });
    }
  }

  it('change no item of the table, and have the written values', async () => {
    await fc.assert(
      fc.asyncProperty(content, async (given) => {
        await catalog.ask(path(), { method: 'DELETE' });
        expect(await put(catalog, [Thing, '1'], given)).toMatchObject({ status: 201 });
        const before = await itemsOf(catalog.table, Thing, '1');
        const shown = (await read(path())) as Row;
        const { title, options, blocks, other } = given.attributes as Record<string, unknown>;
        const kept = JSON.parse(JSON.stringify({ title, options, blocks, other })) as object;
        expect(shown.attributes).toMatchObject(kept);
        const { born } = given.attributes as { born?: number };
        if (born !== undefined) expect(Date.parse(String(shown.attributes['born']))).toBe(born);
        for (const entity of await answers()) await sendBack(entity);
        expect(await itemsOf(catalog.table, Thing, '1')).toEqual(before);
      }),
      { numRuns: 10 },
    );
  });
});
