import { targetKey } from '../entities/items/entity-items.ts';
import { DeferredEntries } from './deferred-entries.ts';
import type { DeferredEntry } from './deferred-entries.ts';

const nameOf = (id: string) => ({ type: 'Player', id });

function orderOf(relations: Record<string, readonly string[]>) {
  const deferred = new DeferredEntries();
  for (const [index, [id, others]] of Object.entries(relations).entries()) {
    const related = new Set(others.map((other) => targetKey(nameOf(other))));
    deferred.add({ line: index, name: nameOf(id), given: {}, related, error: undefined });
  }
  const { levels, cyclic } = deferred.order();
  const ids = (entries: readonly DeferredEntry[]) => entries.map(({ name }) => name.id);
  return { levels: levels.map(ids), cyclic: ids(cyclic) };
}

describe('the order of deferred entries', () => {
  it('has each entry in a later level than those that it relates to, since a level is written concurrently', () => {
    expect(orderOf({ a: ['b', 'c'], b: ['c'], c: ['stored'], d: ['c'], e: ['e'] })).toEqual({
      levels: [['c', 'e'], ['b', 'd'], ['a']],
      cyclic: [],
    });
  });

  it('leaves out cycles, and the entries that relate to them', () => {
    expect(orderOf({ a: ['b'], b: ['c'], c: ['b'], d: [] })).toEqual({
      levels: [['d']],
      cyclic: ['a', 'b', 'c'],
    });
  });

  it('of a hundred thousand entries that relate to one is found at once', () => {
    const many = Array.from({ length: 100_000 }, (_, id) => [String(id), ['one']] as const);
    const { levels } = orderOf({ ...Object.fromEntries(many), one: [] });
    expect(levels.map(({ length }) => length)).toEqual([1, 100_000]);
  });
});
