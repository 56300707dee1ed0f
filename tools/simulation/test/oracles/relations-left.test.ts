import { relationsLeft, rowsOf } from '../../src/oracles/catalog-audit.ts';
import type { Item } from '../../src/table/attribute.ts';

const relation: Item = {
  pk: { S: 'E#Track#p' },
  sk: { S: 'R#Artist#a' },
  data: { M: { relations: { L: [{ S: 'artist' }] } } },
};

const deletion = (looked: boolean): Item => ({
  pk: { S: 'TASKS#CATALOG' },
  sk: { S: 'DETACH#Artist#a#01J' },
  looked: { BOOL: looked },
});

describe('a relation to what was deleted', () => {
  const left = (task: Item | undefined, haveIndexesLagged: boolean) =>
    relationsLeft(rowsOf(task === undefined ? [relation] : [relation, task]), haveIndexesLagged);

  it('is there until the first look, where indexes show each change at once', () => {
    expect(left(deletion(false), false)).toEqual([]);
    expect(left(deletion(true), false)).toHaveLength(1);
  });

  it('is there until the last look, where they are behind', () => {
    expect(left(deletion(true), true)).toEqual([]);
    expect(left(undefined, true)).toHaveLength(1);
  });
});
