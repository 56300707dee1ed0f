import { openBeforeAll } from '@engawa/testing';
import { startConflictingTable } from './conflicting-table.ts';
import type { Ask } from './conflicting-table.ts';
import type { JsonResponse } from '../json-response.ts';

const player = {
  attributes: [
    { name: 'name', kind: 'text' },
    { name: 'score', kind: 'number' },
  ],
  searches: [{ name: 'byName', parts: [{ attribute: 'name' }] }],
  rankings: [{ name: 'byScore', attribute: 'score' }],
};
const group = {
  attributes: [{ name: 'score', kind: 'number' }],
  relations: [
    { name: 'owner', to: 'Player' },
    { name: 'members', to: 'Player', many: true },
  ],
  rankings: [{ name: 'byScore', attribute: 'score' }],
};
const ids = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${1000 + index}`);

describe('concurrent transactions on one entity', () => {
  const table = openBeforeAll(() => startConflictingTable(2));
  let first: Ask;
  let second: Ask;
  beforeAll(async () => {
    [first, second] = table.replicas as [Ask, Ask];
    await first('/v1/types/Player', { method: 'PUT', body: player });
    await first('/v1/types/Group', { method: 'PUT', body: group });
  });
  beforeEach(() => table.simulator.counters.reset());

  const conflicts = () => table.simulator.counters.read().faults['conflict'] ?? 0;
  const entity = (type: string, id: string) => `/v1/entities/${type}/${id}`;
  const patch = (ask: Ask, [type, id]: [string, string], body: object) =>
    ask(entity(type, id), { method: 'PATCH', body });
  const statuses = (answers: readonly JsonResponse[]) => [
    ...new Set(answers.map((one) => one.status)),
  ];

  async function makePlayers(...names: string[]): Promise<void> {
    const body = names.map((id) => ({ type: 'Player', id, attributes: { score: 0 } }));
    const answer = await first('/v1/entities', { method: 'POST', body });
    expect(answer.body).toMatchObject({ entities: { created: names.length } });
  }

  it('create many entities related to it, in one request and in two', async () => {
    await makePlayers('star');
    const groups = (prefix: string, count: number) =>
      ids(prefix, count).map((id) => ({ type: 'Group', id, relations: { owner: 'star' } }));
    const made = await first('/v1/entities', { method: 'POST', body: groups('g', 300) });
    expect(made).toMatchObject({ status: 200, body: { entities: { created: 300 }, failed: 0 } });
    console.log(`${conflicts()} conflicts while 300 were made by one replica`);
    table.simulator.counters.reset();
    const answers = await Promise.all(
      [first, second].map((ask, index) =>
        ask('/v1/entities', { method: 'POST', body: groups(`h${index}`, 60) }),
      ),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, body: { entities: { created: 60 } } });
    }
    console.log(`${conflicts()} conflicts while 120 were made by two replicas`);
  });

  it('add and remove relations to it while its score is incremented', async () => {
    await makePlayers('busy');
    const scores = Array.from({ length: 60 }, (_, index) => index + 1);
    const [scored, made] = await Promise.all([
      Promise.all(
        scores.map((score) => patch(first, ['Player', 'busy'], { attributes: { score } })),
      ),
      Promise.all(
        ids('b', 60).map((id) =>
          second(entity('Group', id), { method: 'PUT', body: { relations: { owner: 'busy' } } }),
        ),
      ),
    ]);
    expect([statuses(scored), statuses(made)]).toEqual([[200], [201]]);
    console.log(`${conflicts()} conflicts in 60 scores and 60 relations`);
  });

  it('join one group concurrently over two replicas', async () => {
    const members = ids('m', 80);
    await makePlayers(...members);
    await first(entity('Group', 'club'), { method: 'PUT', body: {} });
    const joined = await Promise.all(
      members.map((id, index) =>
        patch(index % 2 === 0 ? first : second, ['Group', 'club'], {
          relations: { members: { add: [id] } },
        }),
      ),
    );
    expect(statuses(joined)).toEqual([200]);
    const { body } = await first(entity('Group', 'club'));
    expect(body['relations']).toEqual({ members });
    console.log(`${conflicts()} conflicts in 80 joins`);
  });
});
