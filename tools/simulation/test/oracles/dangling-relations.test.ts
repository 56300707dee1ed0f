import { danglingRelations, rowsOf } from '../../src/oracles/catalog-audit.ts';
import type { Item } from '@engawa/dynamodb-simulator/rules';

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

describe('a relation to a deleted entity', () => {
  const left = (task: Item | undefined, haveIndexesLagged: boolean) =>
    danglingRelations(
      rowsOf(task === undefined ? [relation] : [relation, task]),
      haveIndexesLagged,
    );

  it('may exist until the first search of the deletion when indexes have no lag', () => {
    expect(left(deletion(false), false)).toEqual([]);
    expect(left(deletion(true), false)).toHaveLength(1);
  });

  it('may exist until the last search of the deletion when indexes lag', () => {
    expect(left(deletion(true), true)).toEqual([]);
    expect(left(undefined, true)).toHaveLength(1);
  });
});
