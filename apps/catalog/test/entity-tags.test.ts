import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, declareMusic, make, ownName, pathOf, put, quiet, track } from './entities.ts';
import type { TestResponse } from './catalog.ts';

const plain = {
  attributes: track.attributes,
  searches: track.searches.slice(0, 1),
  rankings: track.rankings,
};
const refused = { status: 412, body: { type: '/problems/version-mismatch' } };
const heroes = { attributes: { title: 'Heroes', plays: 1 } };

describe('the ETag of an entity', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  let type: string;
  beforeEach(async () => {
    ({ Track: type } = await declareMusic(catalog));
  });

  const ask = (method: string, headers: Record<string, string> = {}, body?: unknown) =>
    catalog.ask(pathOf(type, '4'), { method, headers, ...(body !== undefined && { body }) });
  const tagOf = ({ headers }: TestResponse) => headers.get('etag') ?? '';

  /** Expects 412 for all conditional requests with this ETag. */
  async function expectStale(tag: string): Promise<void> {
    const headers = { 'if-match': tag };
    expect(await put(catalog, [type, '4'], heroes, headers)).toMatchObject(refused);
    for (const attributes of [{ plays: 5 }, { title: 'Helden' }]) {
      expect(await ask('PATCH', headers, { attributes })).toMatchObject(refused);
    }
    expect(await ask('DELETE', headers)).toMatchObject(refused);
  }

  it('is stable, although DynamoDB returns maps in any order', async () => {
    const attributes = { ...heroes.attributes, released: 1977, likes: 2, live: true };
    await put(catalog, [type, '4'], { attributes });
    const tags = new Set<string>();
    for (let turn = 0; turn < 20; turn++) tags.add(tagOf(await ask('GET')));
    expect(tags.size).toBe(1);
  });

  const declarePlain = async () => {
    type = ownName('Plain');
    await declare(catalog, { [type]: plain });
  };

  it.each([
    ['which may be related to', () => Promise.resolve()],
    ['which no type relates to', declarePlain],
  ])('differs from that of another incarnation of its id: of a type %s', async (_, choose) => {
    await choose();
    const made = await put(catalog, [type, '4'], heroes);
    const read = await ask('GET');
    expect(await ask('DELETE')).toMatchObject({ status: 204 });
    const again = await put(catalog, [type, '4'], heroes);
    expect(again).toMatchObject({ status: 201, body: { version: 1 } });
    for (const tag of [tagOf(made), tagOf(read), '"1"']) await expectStale(tag);
    const headers = { 'if-match': `${tagOf(made)}, ${tagOf(again)}` };
    const patched = await ask('PATCH', headers, { attributes: { plays: 2 } });
    expect(patched).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await ask('DELETE', { 'if-match': tagOf(patched) })).toMatchObject({ status: 204 });
  });

  it('of a PUT is a prefix of the ETag of the next GET', async () => {
    await make(catalog, [type, '4', heroes]);
    const read = await ask('GET');
    const changed = { ...heroes, attributes: { title: 'Helden' } };
    const headers = { 'if-match': tagOf(read) };
    const next = await put(catalog, [type, '4'], changed, headers);
    expect(next).toMatchObject({ status: 200 });
    expect(await ask('GET', { 'if-none-match': tagOf(read) })).toMatchObject({ status: 200 });
    expect(tagOf(await ask('GET')).startsWith(tagOf(next).slice(0, -1))).toBe(true);
    await expectStale(tagOf(read));
  });
});
