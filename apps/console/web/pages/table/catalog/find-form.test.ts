import { filterInput, findersOf, isUsable, noCondition, searchInput } from './find-form.ts';
import { entityPartition } from './addresses.ts';
import { entityName } from './entity-name.ts';
import type { Condition, EntityType } from './find-form.ts';

const type: EntityType = {
  name: 'Song',
  attributes: [],
  relations: [],
  searches: [
    {
      name: 'byArtist',
      parts: [{ relation: 'artist' }, { attribute: 'released', as: 'number' }],
      state: 'ready',
    },
    { name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }], state: 'building' },
  ],
  rankings: [
    {
      name: 'byPlays',
      attribute: 'plays',
      direction: 'descending',
      within: 'artist',
      state: 'ready',
    },
    {
      name: 'byWeek',
      attribute: 'plays',
      direction: 'descending',
      period: { attribute: 'played', length: 'P1W' },
      state: 'ready',
    },
  ],
  fullText: ['title'],
  filters: [{ attribute: 'live', as: 'boolean', state: 'ready' }],
  additional: false,
  createdAt: '',
  changedAt: '',
  version: 1,
};

const equal = (value: string): Condition => ({ operator: 'eq', value, to: '' });
const between = (value: string, to: string): Condition => ({ operator: 'range', value, to });

describe('findersOf', () => {
  it('has a form for each search, ranking and the full text, with the operators of each part', () => {
    const finders = findersOf(type);
    expect(finders.map(({ id }) => id)).toEqual([
      'list',
      'search:byArtist',
      'search:byTitle',
      'ranking:byPlays',
      'ranking:byWeek',
      'text',
    ]);
    expect(finders[1]).toMatchObject({
      parts: [
        { name: 'artist', kind: 'id', operators: ['any', 'eq', 'prefix'] },
        { name: 'released', kind: 'number', operators: ['any', 'eq', 'range'] },
      ],
      isBuilding: false,
    });
    expect(finders[2]).toMatchObject({
      parts: [{ operators: ['any', 'eq', 'prefix', 'range'] }],
      isBuilding: true,
    });
    expect(finders[3]).toMatchObject({ within: 'artist', period: undefined });
    expect(finders[4]).toMatchObject({ within: undefined, period: 'P1W' });
    expect(finders[5]).toMatchObject({ parts: [{ name: 'live', operators: ['any', 'eq'] }] });
  });
});

describe('searchInput', () => {
  it('has the values of leading parts, then a range or a prefix', () => {
    expect(searchInput([equal('1'), between('1970', '')])).toEqual({ eq: ['1'], from: '1970' });
    expect(searchInput([equal('1'), equal('2')])).toEqual({ eq: ['1', '2'] });
    expect(searchInput([{ operator: 'prefix', value: 'he', to: '' }])).toEqual({ prefix: 'he' });
    expect(searchInput([noCondition])).toEqual({});
  });

  it('ignores parts after one without equality', () => {
    expect(isUsable([noCondition, equal('2')], 1)).toBe(false);
    expect(searchInput([noCondition, equal('2')])).toEqual({});
    expect(searchInput([equal(''), equal('2')])).toEqual({});
  });
});

it('has filters with encoded names and plain values', () => {
  const parts = [
    { name: 'a=b!', kind: 'number', operators: [] },
    { name: 'state', kind: 'text', operators: [] },
    { name: 'other', kind: 'text', operators: [] },
  ] as const;
  expect(filterInput(parts, [between('1', '2'), equal('100 %')])).toEqual([
    'a%3Db%21>=1',
    'a%3Db%21<=2',
    'state=100 %',
  ]);
});

it('escapes ids in the partition key of an entity', () => {
  expect(entityPartition('Song', 'a b#$1')).toBe('E#Song#a$Pb$S$T1');
});

it('names an entity by its name, its first text or its id', () => {
  expect(entityName('7', { genre: 'Rock', title: 'Low' })).toBe('Low');
  expect(entityName('7', { year: 1977, genre: 'Rock' })).toBe('Rock');
  expect(entityName('7', { name: '' })).toBe('7');
});
