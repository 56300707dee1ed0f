import {
  attributeRowKey,
  catalogTaskKey,
  entityKey,
  parseKey,
  relationKey,
  textRowKey,
} from '@engawa/keys';
import { auditRows, isSettled } from './audit-table.ts';
import type { Key } from '@engawa/keys';

const track = { type: 'Track', id: 't' };
const artist = { type: 'Artist', id: 'a' };
const row = ({ pk, sk }: Key, item: Record<string, unknown> = {}) => ({
  key: parseKey({ pk, sk }),
  item: { pk, sk, ...item },
});

const entities = [row(entityKey(track)), row(entityKey(artist))];
const byName = row(attributeRowKey({ entity: track, search: 'byName' }));
const relation = row(relationKey(track, artist), { data: {} });
const texts = row(textRowKey(track), { texts: {} });
const searches = new Set(['Track/byName']);
const task = (item = {}) => row(catalogTaskKey('DELETION', 'Artist', 'a', '1'), item);

describe('the rows of a table', () => {
  it('belong to existing entities', () => {
    expect(auditRows([...entities, byName, relation, texts], searches)).toEqual([]);
    const gone = row(entityKey(track), { gone: true });
    expect(auditRows([gone, ...entities.slice(1), byName, relation, texts], searches)).toEqual([
      'a attributeRow of Track/t, which is not there',
      'a relation of Track/t, which is not there',
      'a textRow of Track/t, which is not there',
    ]);
    expect(auditRows([gone, row(textRowKey(track))], searches)).toEqual([]);
  });

  it('belong to existing searches', () => {
    expect(auditRows([...entities, byName], new Set())).toEqual([
      'a row of Track/t for byName, which is no search',
    ]);
  });

  it('refer to existing entities, or to entities in deletion', () => {
    const rows = [...entities.slice(0, 1), relation];
    expect(auditRows(rows, searches)).toEqual(['Track/t relates to Artist/a, which is not there']);
    expect(auditRows([...rows, task()], searches)).toEqual([]);
  });

  it('are settled when no write is incomplete', () => {
    expect(isSettled([...entities, relation], 'all')).toBe(true);
    expect(isSettled([row(entityKey(track), { staging: '1' })], 'most')).toBe(false);
    expect(isSettled([row(entityKey(track), { settles: '1' })], 'most')).toBe(false);
    expect(isSettled([row(relationKey(track, artist), { data: { staged: {} } })], 'most')).toBe(
      false,
    );
    expect(isSettled([task()], 'most')).toBe(false);
    expect(isSettled([task({ looked: true })], 'most')).toBe(true);
    expect(isSettled([task({ looked: true })], 'all')).toBe(false);
  });
});
