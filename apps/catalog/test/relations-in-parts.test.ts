import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, makeNamed, ownName, pathOf, put, quiet } from './entities.ts';
import { problemOf } from './list-queries.ts';
import type { TestResponse } from './catalog.ts';

interface Whole {
  attributes: Record<string, unknown>;
  relations: Record<string, string | string[]>;
  relationParts?: Record<string, string[]>;
  version: number;
  cursor?: string;
}

const ids = Array.from({ length: 1500 }, (_, number) => `m${String(number).padStart(4, '0')}`);

describe('an entity with more relations than a response has', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  let Club: string;
  let Member: string;
  beforeAll(async () => {
    [Club, Member] = [ownName('Club'), ownName('Member')];
    const attributes = [{ name: 'name', kind: 'text' }];
    await declare(catalog, { [Member]: { attributes } });
    const relations = [
      { name: 'first', to: Club, many: true },
      { name: 'members', to: Member, many: true },
      { name: 'head', to: Member },
    ];
    await declare(catalog, { [Club]: { attributes, relations } });
    await makeNamed(catalog, Member, ids);
    await makeNamed(catalog, Club, ['other']);
  });

  const get = async (id: string, query = '') => {
    const answer = await catalog.ask(`${pathOf(Club, id)}${query}`);
    return { ...answer, body: answer.body as Whole };
  };
  const made = async (id: string) => {
    const relations = { first: ['other'], members: ids, head: 'm0000' };
    const answer = await put(catalog, [Club, id], { attributes: { name: 'a' }, relations });
    expect(answer.status).toBe(201);
  };
  /** The members on all pages. */
  const membersOf = async (id: string): Promise<string[]> => {
    const members: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query: string = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      const { body }: { body: Whole } = await get(id, query);
      const lists = { ...body.relations, ...body.relationParts };
      members.push(...((lists['members'] ?? []) as string[]));
      cursor = body.cursor;
    }
    return members;
  };
  const relate = (id: string, name: string, body: object, headers = {}): Promise<TestResponse> =>
    catalog.ask(`${pathOf(Club, id)}/relations/${name}`, { method: 'POST', body, headers });

  it('keeps all of them if the response is sent back, also with If-Match', async () => {
    await made('a');
    for (const isConditional of [false, true]) {
      const { body, headers } = await get('a');
      const content = { attributes: { name: `b${isConditional}` }, relations: body.relations };
      const tag = headers.get('etag') ?? '';
      const answer = await put(catalog, [Club, 'a'], content, {
        ...(isConditional && { 'if-match': tag }),
      });
      expect(answer.status).toBe(200);
      expect(await membersOf('a')).toEqual(ids);
    }
    const { body } = await get('a');
    expect(body.relations).toEqual({ first: ['other'], head: 'm0000' });
    expect(body.relationParts?.['members']).toHaveLength(999);
    // An explicit list still replaces the relation.
    await put(catalog, [Club, 'a'], { relations: { members: ['m0001'] } });
    expect(await membersOf('a')).toEqual(['m0001']);
    expect((await get('a')).body.relations).toMatchObject({ members: ['m0001'] });
  });

  it('has pages of one version only', async () => {
    await made('b');
    const { cursor = '' } = (await get('b', '?limit=700')).body;
    const next = `?limit=700&cursor=${encodeURIComponent(cursor)}`;
    expect((await get('b', next)).body.relationParts?.['members']).toHaveLength(700);
    await relate('b', 'members', { remove: ['m0000'] });
    expect(problemOf(await get('b', next))).toMatchObject({
      status: 412,
      type: 'version-mismatch',
    });
    expect(await membersOf('b')).toEqual(ids.slice(1));
  });

  it('gets and loses related entities without a list of the others', async () => {
    await made('c');
    const cost = await catalog.costOf(async () => {
      const change = { add: ['m0007'], remove: ['m0001', 'm1499', 'nobody'] };
      expect(await relate('c', 'members', change)).toMatchObject({ status: 200 });
    });
    // The rows of the named entities, and whether these entities were created again.
    expect(cost).toEqual({ Query: 1, BatchGetItem: 2, TransactWriteItems: 1 });
    const rest = ids.filter((id) => id !== 'm0001' && id !== 'm1499');
    expect(await membersOf('c')).toEqual(rest);
    const { version } = (await get('c')).body;
    // Repeated, it changes nothing.
    const answer = await relate('c', 'members', { add: ['m0007'], remove: ['m0001'] });
    expect(answer.body).toMatchObject({ version });
    expect(answer.headers.get('etag')).not.toBeNull();
  });

  it('refuses a change of a relation that does not fit', async () => {
    await made('d');
    const invalid: [string, object, number][] = [
      ['members', {}, 400],
      ['members', { add: [1] }, 400],
      ['members', { add: [{ id: 'm0001', role: 'x' }] }, 400],
      ['head', { add: ['m0001'] }, 400],
      ['none', { add: ['m0001'] }, 400],
      ['members', { add: ['nobody'] }, 409],
    ];
    for (const [name, body, status] of invalid) {
      expect([name, body, (await relate('d', name, body)).status]).toEqual([name, body, status]);
    }
    const { headers } = await get('d');
    await relate('d', 'members', { remove: ['m0002'] });
    const late = await relate(
      'd',
      'members',
      { add: ['m0002'] },
      {
        'if-match': headers.get('etag') ?? '',
      },
    );
    expect(late.status).toBe(412);
    expect(await membersOf('d')).toHaveLength(1499);
  });
});
