import { openBeforeAll } from '@engawa/testing';
import { startConflictingTable } from './conflicting-table.ts';
import type { Ask } from './conflicting-table.ts';
import type { JsonResponse } from '../json-response.ts';

const user = {
  attributes: [
    { name: 'email', kind: 'text', unique: true },
    { name: 'badge', kind: 'number', unique: true },
  ],
};
const ids = Array.from({ length: 50 }, (_, index) => `user${index}`);
const missing: Ask = () => Promise.reject(new Error('no such replica'));

describe('concurrent writes of one unique value over two replicas', () => {
  const table = openBeforeAll(() => startConflictingTable(2));
  let replicas: Ask[];
  beforeAll(async () => {
    ({ replicas } = table);
    await ask(0)('/v1/types/User', { method: 'PUT', body: user });
  });
  beforeEach(() => {
    table.simulator.setFaults([]);
    table.simulator.counters.reset();
  });

  const ask = (index: number): Ask => replicas.at(index % 2) ?? missing;
  const put = (index: number, id: string, attributes: object) =>
    ask(index)(`/v1/entities/User/${id}`, { method: 'PUT', body: { attributes } });

  function expectOne(answers: readonly JsonResponse[], status: number, attribute: string): string {
    const taken = answers.flatMap((answer, index) => (answer.status === status ? [index] : []));
    const refused = answers.filter((answer) => answer.status === 409);
    expect([taken.length, refused.length]).toEqual([1, answers.length - 1]);
    const owner = ids[taken[0] ?? -1] ?? '';
    for (const { body } of refused) {
      expect(body).toMatchObject({
        type: '/problems/not-unique',
        errors: [
          {
            path: `body.attributes.${attribute}`,
            message: `must be unique among entities of type User: "${owner}" has this value`,
          },
        ],
      });
    }
    return owner;
  }

  const conflicts = () => table.simulator.counters.read().faults['conflict'] ?? 0;

  it('create a single entity', async () => {
    const email = 'one@example.org';
    const answers = await Promise.all(ids.map((id, index) => put(index, id, { email })));
    const owner = expectOne(answers, 201, 'email');
    console.log(`${conflicts()} conflicts while 50 wanted one value`);
    const there = await Promise.all(ids.map((id) => ask(0)(`/v1/entities/User/${id}`)));
    expect(there.filter(({ status }) => status === 200).map(({ body }) => body['id'])).toEqual([
      owner,
    ]);
  });

  it('create a single entity when responses of the table are lost', async () => {
    const operations = ['UpdateItem', 'TransactWriteItems'];
    const fault = { kind: 'reset', when: 'after' } as const;
    table.simulator.setFaults([{ operations, probability: 0.2, fault }]);
    const lost = ids.map((id) => `lost-${id}`);
    const answers = await Promise.all(lost.map((id, index) => put(index, id, { email: 'lost' })));
    table.simulator.setFaults([]);
    const there = await Promise.all(lost.map((id) => ask(0)(`/v1/entities/User/${id}`)));
    const made = there.map(({ status }) => status === 200);
    expect(made.filter(Boolean)).toHaveLength(1);
    for (const [index, isMade] of made.entries()) {
      // 503 when the responses to a request and all its retries were lost.
      expect([isMade ? 201 : 409, 503]).toContain(answers[index]?.status);
    }
  });

  it('change a single entity, and a released value is claimed once', async () => {
    await Promise.all(ids.map((id, index) => put(index, id, { email: id, badge: index })));
    const patch = (index: number, id: string, body: object) =>
      ask(index)(`/v1/entities/User/${id}`, { method: 'PATCH', body });
    const to = (badge: number) => (id: string) =>
      patch(ids.indexOf(id), id, { attributes: { badge: { add: badge - ids.indexOf(id) } } });
    const owner = expectOne(await Promise.all(ids.map(to(1025))), 200, 'badge');
    await to(2000)(owner);
    const others = ids.filter((id) => id !== owner);
    const statuses = (await Promise.all(others.map(to(1025)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...others.slice(1).map(() => 409)]);
  });
});
