import { startCatalog } from './catalog.ts';
import { artist, declare, make, quiet, track } from './entities.ts';
import type { Catalog } from './catalog.ts';

const accept = 'application/x-ndjson';

/** The properties that do not depend on the creation time. */
interface ExportedEntity {
  type: string;
  id: string;
  attributes: Record<string, unknown>;
  relations: Record<string, unknown>;
}

async function exported(catalog: Catalog, type: string): Promise<ExportedEntity[]> {
  const path = `/v1/entities/${type}?whole=true`;
  return (await catalog.ask(path, { headers: { accept } })).body as ExportedEntity[];
}

function withoutTimes({ type, id, attributes, relations }: ExportedEntity): ExportedEntity {
  return { type, id, attributes: { ...attributes, madeAt: '', changedAt: '' }, relations };
}

describe('the import of an exported list', () => {
  let from: Catalog;
  let to: Catalog;
  beforeAll(async () => {
    [from, to] = await Promise.all([startCatalog(quiet), startCatalog(quiet)]);
    for (const catalog of [from, to]) await declare(catalog, { Artist: artist, Track: track });
  });
  afterAll(() => Promise.all([from.close(), to.close()]));

  it('restores entities with all digits and relations', async () => {
    const artists = Array.from({ length: 150 }, (_, index) => `artist ${index}`);
    for (const id of artists) await make(from, ['Artist', id, { attributes: { name: id } }]);
    for (let number = 0; number < 25; number++) {
      const attributes = {
        title: `ti\n"${number}"`,
        released: 0.1 + number,
        live: number % 2 === 0,
      };
      const featuring = number === 7 ? artists : artists.slice(number, number + 3);
      const covers = number === 0 ? [] : [String(number - 1).padStart(2, '0')];
      const relations = { artist: artists[number], featuring, covers };
      await make(from, ['Track', String(number).padStart(2, '0'), { attributes, relations }]);
    }
    for (const type of ['Artist', 'Track']) {
      const lines = await exported(from, type);
      const body = lines.map((line) => JSON.stringify(line)).join('\n');
      const headers = { 'content-type': accept };
      const answer = await to.ask('/v1/entities', { method: 'POST', headers, body });
      expect(answer.body).toEqual({
        entities: { created: lines.length, existing: 0 },
        failed: 0,
        errors: [],
      });
    }
    const [before, after] = await Promise.all([exported(from, 'Track'), exported(to, 'Track')]);
    expect(before).toHaveLength(25);
    expect(before[7]?.relations['featuring']).toHaveLength(150);
    expect(after.map(withoutTimes)).toEqual(before.map(withoutTimes));
  });

  it('restores sets, lists, maps and undeclared attributes, also with existing=replace', async () => {
    const open = {
      attributes: [
        { name: 'tags', kind: 'set' },
        { name: 'sizes', kind: 'set', of: 'number' },
        { name: 'blocks', kind: 'list' },
        { name: 'options', kind: 'map' },
      ],
      searches: [{ name: 'byTag', parts: [{ attribute: 'tags' }] }],
      additional: true,
    };
    for (const catalog of [from, to]) await declare(catalog, { Open: open });
    const attributes = {
      tags: ['b', 'a'],
      sizes: [],
      blocks: [null, { a: [0.1] }],
      options: { add: 1 },
      other: { append: ['x'] },
      nothing: null,
    };
    await make(from, ['Open', '1', { attributes }], ['Open', '2', {}]);
    await make(to, ['Open', '2', { attributes }]);
    const lines = await exported(from, 'Open');
    const body = lines.map((line) => JSON.stringify(line)).join('\n');
    const headers = { 'content-type': accept };
    const path = '/v1/entities?existing=replace';
    const answer = await to.ask(path, { method: 'POST', headers, body });
    expect(answer.body).toMatchObject({ entities: { created: 1, replaced: 1 }, failed: 0 });
    const after = (await exported(to, 'Open')).map(({ attributes: there }) => there);
    expect(after).toEqual([{ ...attributes, tags: ['a', 'b'] }, {}]);
    const csv = await to.ask('/v1/entities/Open', { headers: { accept: 'text/csv' } });
    expect(csv.body).toContain('"[""a"",""b""]"');
  });

  it('costs one more request per exported entity', async () => {
    const cost = await from.costOf(async () => {
      await from.ask('/v1/entities/Track?whole=true&limit=10');
    });
    expect(cost).toEqual({ Query: 11 });
  });
});
