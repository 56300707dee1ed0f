import { createClient, declareType } from '@engawa/client';
import { openBeforeAll, until } from '@engawa/testing';
import { Services } from '../services.ts';
import type { Client, EntityClient } from '@engawa/client';

const Player = declareType({
  name: 'Player',
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'score', kind: 'number' },
    { name: 'email', kind: 'text', unique: true },
    { name: 'joined', kind: 'instant', unique: true },
  ],
  searches: [{ name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] }],
  rankings: [{ name: 'best', attribute: 'score' }],
});

const Team = declareType({
  name: 'Team',
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'places', kind: 'number' },
  ],
  relations: [
    {
      name: 'players',
      to: 'Player',
      many: true,
      attributes: [
        { name: 'role', kind: 'text', required: true },
        { name: 'since', kind: 'instant' },
      ],
    },
    { name: 'rivals', to: 'Team', many: true },
  ],
});

const services = openBeforeAll(() => Services.start());
let client: Client;
let players: EntityClient<typeof Player>;
let teams: EntityClient<typeof Team>;
beforeAll(async () => {
  client = createClient({ url: services.urls });
  players = client.entities(Player);
  teams = client.entities(Team);
  await players.declare();
  await teams.declare();
  await teams.put('go', { attributes: { title: 'Go', places: 3 } });
});

const named = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    attributes: { name: `Player ${index}`, score: index },
  }));

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

it('creates entities in batches, and returns the rejected ones', async () => {
  const wrong = { id: 'wrong', attributes: { name: 7 as unknown as string } };
  const given = [...named(5), wrong, ...named(7)];
  expect(await players.createAll(given, { batchSize: 4 })).toMatchObject({
    ...{ created: 7, existing: 5, failed: 1 },
    errors: [{ line: 6, message: expect.stringContaining('attributes.name') as string }],
  });
  const renamed = named(7).map((one, index) =>
    index === 0 ? { ...one, attributes: { name: 'Zero' } } : one,
  );
  expect(await players.createAll(renamed, { existing: 'replace', batchSize: 5 })).toMatchObject({
    ...{ created: 0, replaced: 1, unchanged: 6, failed: 0 },
  });
  expect((await players.get('p0'))?.attributes).toEqual({ name: 'Zero' });
});

it('returns the entity that has a unique value', async () => {
  const [email, joined] = ['Zoë & co?@example.org', new Date('2026-03-01T09:00:00Z')];
  await players.put('zoe', { attributes: { name: 'Zoë', email, joined } });
  const zoe = await players.getBy('email', email);
  expect(zoe).toMatchObject({ id: 'zoe', attributes: { joined: joined.toISOString() } });
  await players.patch('zoe', { attributes: { score: 1 } }, { ifMatch: zoe?.etag ?? '' });
  const part = await players.getBy('joined', joined, { fields: ['email'] });
  expect(part?.attributes).toEqual({ email });
  expect(await players.getBy('email', 'nobody@example.org')).toBeUndefined();
  await players.delete('zoe');
  expect(await players.getBy('email', email)).toBeUndefined();
});

it('returns pages with total counts, and selected attributes of entities', async () => {
  await players.createAll(named(7));
  const found = players.search('byName', {
    prefix: 'player',
    limit: 2,
    whole: true,
    fields: ['score'],
  });
  await until('all to be found', async () => (await all(found)).length >= 6);
  const first = await found.page({ total: true });
  expect(first).toMatchObject({ total: 6, totalIsExact: true });
  expect(first.items.map(({ attributes }) => attributes)).toEqual([{ score: 1 }, { score: 2 }]);
  const second = await found.page({ cursor: first.cursor });
  expect(second.items.map(({ attributes }) => attributes.score)).toEqual([3, 4]);
  expect(second).not.toHaveProperty('total');
  const part = await players.get('p1', { fields: ['name'] });
  expect(part).toMatchObject({ id: 'p1', attributes: { name: 'Player 1' } });
  expect(await players.get('nobody', { fields: ['name'] })).toBeUndefined();
  const [best] = await all(players.ranking('best', { whole: true, fields: ['score'] }));
  expect(Object.keys(best?.entity?.attributes ?? {})).toEqual(['score']);
});

it('returns attributes of relations in both directions', async () => {
  await players.createAll(named(3));
  const since = new Date(Date.UTC(2026, 0, 1));
  await teams.put('chess', {
    attributes: { title: 'Chess' },
    relations: { players: [{ id: 'p1', attributes: { role: 'chair', since } }], rivals: ['go'] },
  });
  await teams.patch('chess', {
    relations: {
      players: {
        add: [
          { id: 'p1', attributes: { since: null } },
          { id: 'p2', attributes: { role: 'guest' } },
        ],
      },
    },
  });
  const chess = await teams.get('chess');
  expect(chess?.relations).toEqual({
    players: [
      { id: 'p1', attributes: { role: 'chair' } },
      { id: 'p2', attributes: { role: 'guest' } },
    ],
    rivals: ['go'],
  });
  const roles = (await all(teams.related('chess', Player))).map(
    ({ attributes }) => attributes?.players?.role,
  );
  expect(roles).toEqual(['chair', 'guest']);
  await until('the way back', async () => (await all(players.related('p2', Team))).length === 1);
  const [back] = await all(players.related('p2', Team, { relation: 'players' }));
  expect(back?.attributes).toEqual({ players: { role: 'guest' } });
  const { items, total } = await teams.allRelated('chess').page({ total: true });
  expect([items.map(({ type, id, direction }) => [type, id, direction]), total]).toEqual([
    [
      ['Player', 'p1', 'forward'],
      ['Player', 'p2', 'forward'],
      ['Team', 'go', 'forward'],
    ],
    3,
  ]);
});

it('writes several entities of several types atomically', async () => {
  const join = (id: string) =>
    client.transaction([
      players.operation.put(id, { attributes: { name: id } }, { ifNoneMatch: '*' }),
      teams.operation.patch('go', {
        attributes: { places: { add: -1 } },
        relations: { players: { add: [{ id, attributes: { role: 'member' } }] } },
        conditions: { places: { atLeast: 1 } },
      }),
    ]);
  const [anna, go] = await join('anna');
  expect([anna.attributes.name, go.attributes.places]).toEqual(['anna', 2]);
  await players.patch('anna', { attributes: { score: 1 } }, { ifMatch: anna.etag });
  await expect(join('anna')).rejects.toMatchObject({ type: 'already-exists' });
  await Promise.all([join('ben'), join('cho')]);
  await expect(join('dan')).rejects.toMatchObject({
    type: 'condition-failed',
    errors: [{ path: 'body.operations[1].conditions.places.atLeast' }],
  });
  expect(await players.get('dan')).toBeUndefined();
  const [gone, checked] = await client.transaction([
    players.operation.delete('cho', { conditions: { score: { exists: false } }, detach: true }),
    teams.operation.check('go', { conditions: { places: { equals: 0 } } }),
  ]);
  expect(gone).toBeUndefined();
  expect((await teams.get('go'))?.version).toBeGreaterThan(1);
  expect(checked.etag).toMatch(/^"/);
});

it('deletes conditionally, comparing all digits of numbers', async () => {
  const score = 12_345_678_901_234_567_890n;
  await players.put('eve', { attributes: { name: 'Eve', score } });
  const refused = players.delete('eve', { conditions: { score: { equals: score + 1n } } });
  await expect(refused).rejects.toMatchObject({ type: 'condition-failed' });
  await players.delete('eve', { conditions: { score: { equals: score } } });
  expect(await players.get('eve')).toBeUndefined();
});

it('sends entities back as it returned them, and refuses outdated ones', async () => {
  await teams.put('back', { attributes: { title: 'Back', places: 1 } });
  const team = await teams.get('back');
  if (team === undefined) throw new Error('it exists');
  expect(await teams.put('back', team)).toMatchObject({ version: 1 });
  const [same] = await client.transaction([teams.operation.put('back', team)]);
  expect(same).toMatchObject({ version: 1 });
  expect(await teams.createAll([team], { existing: 'replace' })).toMatchObject({ unchanged: 1 });
  const changed = { ...team, attributes: { ...team.attributes, places: 2 } };
  expect(await teams.put('back', changed)).toMatchObject({ version: 2 });
  const outdated = { ...team, attributes: { ...team.attributes, places: 3 } };
  await expect(teams.put('back', outdated)).rejects.toMatchObject({ status: 412 });
});

it('creates or increments counters', async () => {
  const change = { attributes: { name: 'Finn', score: { add: 2 } } };
  expect(await players.patch('finn', change, { upsert: true })).toMatchObject({ version: 1 });
  const [finn] = await client.transaction([
    players.operation.patch('finn', change, { upsert: true }),
  ]);
  expect(finn.attributes.score).toBe(4);
});
