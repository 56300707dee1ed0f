import { createClient, declareType } from '@engawa/client';
import { openBeforeAll, until } from '@engawa/testing';
import { Services } from '../services.ts';
import type { Client } from '@engawa/client';

const Player = declareType({
  name: 'Player',
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'score', kind: 'number' },
    { name: 'joinedAt', kind: 'instant' },
  ],
  relations: [{ name: 'friends', to: 'Player', many: true }],
  searches: [{ name: 'byJoining', parts: [{ attribute: 'joinedAt' }] }],
  rankings: [{ name: 'best', attribute: 'score' }],
});

const services = openBeforeAll(() => Services.start());
let client: Client;
beforeAll(async () => {
  client = createClient({ url: services.urls });
  await client.entities(Player).declare();
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const ids = async (items: AsyncIterable<{ id: string }>) => (await all(items)).map(({ id }) => id);

describe('entities of a declared type', () => {
  it('are created, read, changed and deleted', async () => {
    const players = client.entities(Player);
    expect(await players.get('nobody')).toBeUndefined();
    const made = await players.put('anna', { attributes: { name: 'Anna' } }, { ifNoneMatch: '*' });
    expect(made).toMatchObject({ type: 'Player', id: 'anna', version: 1 });
    const patched = await players.patch(
      'anna',
      { attributes: { score: 3 } },
      { ifMatch: made.etag },
    );
    expect(patched.attributes).toEqual({ name: 'Anna', score: 3 });
    const stale = players.patch('anna', { attributes: { score: 4 } }, { ifMatch: made.etag });
    await expect(stale).rejects.toMatchObject({ status: 412 });
    expect((await players.get('anna'))?.attributes.score).toBe(3);
    await players.delete('anna', { ifMatch: patched.etag });
    expect(await players.get('anna')).toBeUndefined();
  });

  it('are incremented concurrently without a lost update', async () => {
    const players = client.entities(Player);
    await players.put('counted', { attributes: { name: 'Counted', score: 0 } });
    const raise = () =>
      players.update('counted', ({ attributes: { score = 0 } }) => ({
        attributes: { score: score + 1 },
      }));
    await Promise.all([raise(), raise(), raise(), raise()]);
    const inPlace = () => players.patch('counted', { attributes: { score: { add: 1 } } });
    await Promise.all([inPlace(), inPlace()]);
    expect((await players.get('counted'))?.attributes.score).toBe(6);
    const conditions = { score: { atMost: 5 } };
    const refused = players.patch('counted', { attributes: { score: { add: 1 } }, conditions });
    await expect(refused).rejects.toMatchObject({ name: 'ProblemError' });
  });

  it('are found, ranked and related, page by page', async () => {
    const players = client.entities(Player);
    const times = ['2026-03-28T22:59:00Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:00Z'];
    for (const [index, joinedAt] of times.entries()) {
      const attributes = { name: `Player ${index}`, score: 100 + index, joinedAt };
      const relations = { friends: index === 0 ? [] : ['p0'] };
      await players.put(`p${index}`, { attributes, relations });
    }
    const onTheDay = { from: '2026-03-29', to: '2026-03-29T23:59', timeZone: 'Europe/Berlin' };
    const found = () => ids(players.search('byJoining', { ...onTheDay, limit: 1 }));
    await until('both of the day', async () => (await found()).length === 2);
    expect(await found()).toEqual(['p1', 'p2']);
    const [first] = await all(players.search('byJoining', { ...onTheDay, whole: true }));
    expect(first?.attributes.name).toBe('Player 1');
    expect(await ids(players.related('p0', Player, { direction: 'backward', limit: 1 }))).toEqual([
      'p1',
      'p2',
    ]);
    const [related] = await all(
      players.related('p1', Player, { direction: 'forward', whole: true }),
    );
    expect(related?.entity.attributes.score).toBe(100);
    expect((await ids(players.ranking('best', { limit: 2 }))).slice(0, 3)).toEqual([
      'p2',
      'p1',
      'p0',
    ]);
    expect(await players.rank('best', 'p1', { neighbours: 1 })).toMatchObject({
      rank: 2,
      value: 101,
    });
    expect(await ids(players.list({ limit: 2 }))).toEqual(
      expect.arrayContaining(['p0', 'p1', 'p2']),
    );
  });
});

it('readings are sent, and read over all pages', async () => {
  const start = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
  const body = Array.from({ length: 25 }, (_, n) => ({ ts: start + n, n }));
  expect((await client.ingestion.postReadings({ device: 'd', body })).body.stored).toBe(25);
  const asked = { id: 'd', from: String(start), limit: 10 };
  const readings = await all(client.query.getReadings.items(asked));
  expect(readings.map(({ fields }) => fields['n'])).toEqual(body.map(({ n }) => n));
});
