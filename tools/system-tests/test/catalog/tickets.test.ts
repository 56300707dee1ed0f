import { openBeforeAll } from '@engawa/testing';
import { startConflictingTable } from './conflicting-table.ts';
import type { Ask } from './conflicting-table.ts';
import type { JsonResponse } from '../json-response.ts';

const event = {
  attributes: [
    { name: 'stock', kind: 'number' },
    { name: 'sold', kind: 'number' },
    { name: 'buyers', kind: 'set' },
  ],
};
/** The same with the stock in a search, in a ranking of its own item, and in another ranking. */
const types: [string, object][] = [
  ['Event', event],
  ['Searched', { ...event, searches: [{ name: 'byStock', parts: [{ attribute: 'stock' }] }] }],
  ['Ranked', { ...event, rankings: [{ name: 'byStock', attribute: 'stock' }] }],
];

const order = { relations: [{ name: 'event', to: 'Event' }] };

const tickets = 20;
const buyers = Array.from({ length: 50 }, (_, index) => `buyer${index}`);

const missing: Ask = () => Promise.reject(new Error('no such replica'));

describe('a ticket shop with two replicas', () => {
  const table = openBeforeAll(() => startConflictingTable(2));
  let replicas: Ask[];
  beforeAll(async () => {
    ({ replicas } = table);
    for (const [name, body] of types) await ask(0)(`/v1/types/${name}`, { method: 'PUT', body });
    await ask(0)('/v1/types/Order', { method: 'PUT', body: order });
  });
  beforeEach(() => table.simulator.setFaults([]));

  const ask = (index: number): Ask => replicas.at(index % 2) ?? missing;

  async function sell(type: string): Promise<JsonResponse[]> {
    const path = `/v1/entities/${type}/concert`;
    const attributes = { stock: tickets, sold: 0, buyers: [] };
    await ask(0)(path, { method: 'PUT', body: { attributes } });
    // Every tenth write takes place, but its response is lost.
    const operations = ['UpdateItem', 'TransactWriteItems'];
    const fault = { kind: 'reset', when: 'after' } as const;
    table.simulator.setFaults([{ operations, probability: 0.1, fault }]);
    return Promise.all(
      buyers.map((buyer, index) =>
        ask(index)(path, {
          method: 'PATCH',
          body: {
            attributes: { stock: { add: -1 }, sold: { add: 1 }, buyers: { append: [buyer] } },
            conditions: { stock: { atLeast: 1 }, buyers: { exists: true } },
          },
        }),
      ),
    );
  }

  it.each(types)('sells exactly the available tickets: %s', async (type) => {
    const answers = await sell(type);
    const buyersWith = (wanted: number) =>
      buyers.filter((_, index) => answers[index]?.status === wanted);
    // Three lost responses in a row, one time in a thousand: the buyer does not know, and may have a ticket.
    const [sold, refused, unknown] = [buyersWith(200), buyersWith(409), buyersWith(503)];
    expect([...sold, ...refused, ...unknown].sort()).toEqual([...buyers].sort());
    expect(unknown.length).toBeLessThan(5);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      type: '/problems/condition-failed',
      errors: [{ path: 'body.conditions.stock.atLeast' }],
    });
    table.simulator.setFaults([]);
    const { body } = await ask(0)(`/v1/entities/${type}/concert`);
    const there = body['attributes'] as { stock: number; sold: number; buyers: string[] };
    expect(there).toMatchObject({ stock: 0, sold: tickets });
    expect(there.buyers).toHaveLength(tickets);
    expect(there.buyers).toEqual(expect.arrayContaining(sold));
    expect(there.buyers.filter((buyer) => refused.includes(buyer))).toEqual([]);
  });

  it('counts each of 100 increments once, concurrently with orders related to the event', async () => {
    await ask(0)('/v1/entities/Event/fair', { method: 'PUT', body: { attributes: { sold: 0 } } });
    const counted = Array.from({ length: 100 }, (_, index) => index);
    const [added, made] = await Promise.all([
      Promise.all(
        counted.map((index) =>
          ask(index)('/v1/entities/Event/fair', {
            method: 'PATCH',
            body: { attributes: { sold: { add: 1 } } },
          }),
        ),
      ),
      Promise.all(
        counted.slice(0, 30).map((index) =>
          ask(index)(`/v1/entities/Order/o${index}`, {
            method: 'PUT',
            body: { relations: { event: 'fair' } },
          }),
        ),
      ),
    ]);
    expect([...new Set(added.map(({ status }) => status))]).toEqual([200]);
    expect([...new Set(made.map(({ status }) => status))]).toEqual([201]);
    const { body } = await ask(0)('/v1/entities/Event/fair');
    expect(body).toMatchObject({ version: 101, attributes: { sold: 100 } });
  });
});
