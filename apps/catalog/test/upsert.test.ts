import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { artist, declare, foundIn, make, pathOf, quiet, track } from './entities.ts';

const path = '/v1/entities?existing=replace';

describe('POST /v1/entities?existing=replace', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(() => declare(catalog, { Artist: artist, Track: track }));

  const send = async (body: object[], headers: Record<string, string> = {}) => {
    const answer = await catalog.ask(path, { method: 'POST', body, headers });
    expect(answer.status).toBe(200);
    return answer.body as { entities: object; failed: number; errors: object[] };
  };
  const named = (id: string, name: string) => ({ type: 'Artist', id, attributes: { name } });

  it('creates missing entities, replaces existing ones, and counts unchanged ones', async () => {
    await make(
      catalog,
      ['Artist', '1', { attributes: { name: 'a' } }],
      ['Artist', '2', { attributes: { name: 'b' } }],
    );
    const title = { title: 'x', likes: 1 };
    await make(catalog, [
      'Track',
      't',
      { attributes: { ...title, plays: 9 }, relations: { artist: '1', featuring: ['1', '2'] } },
    ]);
    const report = await send([
      named('1', 'a'),
      named('2', 'other'),
      named('3', 'new'),
      // Like PUT: unnamed relations to many are kept, all other unnamed properties are removed.
      { type: 'Track', id: 't', attributes: title, relations: { artist: '3' } },
      { type: 'Track', id: 'u', attributes: { likes: 1 } },
    ]);
    expect(report).toEqual({
      entities: { created: 1, existing: 0, replaced: 2, unchanged: 1 },
      failed: 1,
      errors: [expect.objectContaining({ line: 5 })],
    });
    expect((await catalog.ask(pathOf('Track', 't'))).body).toMatchObject({
      version: 2,
      relations: { artist: '3', featuring: ['1', '2'] },
    });
    expect((await catalog.ask(pathOf('Track', 't'))).body).not.toHaveProperty('attributes.plays');
    expect(await foundIn(catalog.table, 'Artist', 'byName')).toEqual(['1', '3', '2']);
  });

  it('costs a transaction for a new entity, and one more Query for an existing one', async () => {
    expect(await catalog.costOf(() => send([named('n', 'new')]))).toEqual({
      TransactWriteItems: 1,
    });
    expect(await catalog.costOf(() => send([named('n', 'other')]))).toEqual({
      TransactWriteItems: 2,
      Query: 1,
    });
    expect(await catalog.costOf(() => send([named('n', 'other')]))).toEqual({
      TransactWriteItems: 1,
      Query: 1,
    });
  });

  it('writes two entries with one id in the order of the body', async () => {
    const body = Array.from({ length: 12 }, (_, index) => named('same', `name ${index}`));
    expect((await send(body)).entities).toEqual({
      created: 1,
      existing: 0,
      replaced: 11,
      unchanged: 0,
    });
    expect((await catalog.ask(pathOf('Artist', 'same'))).body).toMatchObject({
      attributes: { name: 'name 11' },
    });
  });

  it('is idempotent with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const body = [
      { type: 'Artist', attributes: { name: 'without an id' } },
      named('with', 'an id'),
    ];
    expect((await send(body, headers)).entities).toMatchObject({ created: 2, replaced: 0 });
    expect((await send(body, headers)).entities).toEqual({
      created: 0,
      existing: 0,
      replaced: 0,
      unchanged: 2,
    });
  });

  it('omits counts of replaced entities without existing=replace', async () => {
    const answer = await catalog.ask('/v1/entities', { method: 'POST', body: [named('1', 'zzz')] });
    expect(answer.body).toMatchObject({ entities: { created: 0, existing: 1 } });
    const wrong = await catalog.ask('/v1/entities?existing=skip', { method: 'POST', body: [] });
    expect(wrong.status).toBe(400);
  });
});
