import { openBeforeAll } from '@engawa/testing';
import { startWithModel } from './models.ts';

const states = ['ordered', 'paid', 'packed', 'shipped', 'delivered'];
const count = 12;

interface SearchPage {
  items: { id: string; values: { updatedAt: string } }[];
}

const catalog = openBeforeAll(() => startWithModel('shop'));

/** The orders of this test in a state, by the time of their last change. */
async function inState(state: string): Promise<SearchPage['items']> {
  const { status, body } = await catalog.ask(`/v1/search/Order/byStatusAndUpdate?eq=${state}`);
  expect(status).toBe(200);
  return (body as SearchPage).items.filter(({ id }) => id.startsWith('moving-'));
}

it('orders change state, and are found by state and time of the change', async () => {
  const ids = Array.from({ length: count }, (_, index) => `moving-${index}`);
  const orders = ids.map((id) => ({
    type: 'Order',
    id,
    attributes: { status: 'ordered', orderedAt: '2026-11-10T00:00:00Z', total: 1 },
    relations: { user: 'bea' },
  }));
  await catalog.ask('/v1/entities', { method: 'POST', body: orders });
  const stateOf = new Map(ids.map((id) => [id, 0]));
  /** Expects orders sorted by `updatedAt`. */
  const moves: string[] = [];
  // Each round changes one order fewer, so that each state has orders at the end.
  for (const [round] of states.slice(1).entries()) {
    for (const id of ids.slice(round * 3).toReversed()) {
      const state = (stateOf.get(id) ?? 0) + 1;
      const attributes = { status: states[state] };
      const answer = await catalog.ask(`/v1/entities/Order/${id}`, {
        method: 'PATCH',
        body: { attributes },
      });
      expect(answer.status).toBe(200);
      stateOf.set(id, state);
      moves.push(id);
    }
    for (const [index, state] of states.entries()) {
      const found = await inState(state);
      const wanted = ids.filter((id) => stateOf.get(id) === index);
      expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
      const times = found.map(({ values }) => values.updatedAt);
      expect(times).toEqual(times.toSorted());
      if (index === 0) continue;
      // Orders of the same millisecond have any order.
      const ranks = found.map(
        ({ id, values }) => [moves.lastIndexOf(id), values.updatedAt] as const,
      );
      for (const [[move, time], [next, nextTime]] of pairs(ranks)) {
        if (time !== nextTime) expect(move).toBeLessThan(next);
      }
    }
  }
});

function pairs<Item>(items: readonly Item[]): [Item, Item][] {
  return items.slice(1).map((item, index) => [items[index] as Item, item]);
}
