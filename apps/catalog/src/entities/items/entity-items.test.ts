import { KeyError } from '@engawa/keys';
import { parseAttributeRow, parseRelation } from '@engawa/model';
import { fixedShards } from '@engawa/table';
import { attributeRows, ownItem, relationRows, relationTargets } from './entity-items.ts';
import type { AttributeValue, Entity, EntityType } from '@engawa/model';

const shards = fixedShards(1);
const type: EntityType = {
  name: 'Track',
  attributes: [
    { name: 'title', kind: 'text', required: false },
    { name: 'year', kind: 'number', required: false },
    { name: 'plays', kind: 'number', required: false },
  ],
  relations: [
    { name: 'artist', to: 'Artist', many: false },
    { name: 'featuring', to: 'Artist', many: true },
    { name: 'covers', to: 'Track', many: true },
  ],
  searches: [
    { name: 'byTitle', parts: [{ attribute: 'title', as: 'text' }], layout: 1 },
    {
      name: 'byArtist',
      parts: [{ relation: 'artist' }, { attribute: 'year', as: 'number' }],
      layout: 1,
    },
  ],
  rankings: [
    { name: 'byYear', attribute: 'year', direction: 'ascending', layout: 1 },
    { name: 'byPlays', attribute: 'plays', direction: 'descending', layout: 1 },
  ],
  fullText: [],
  ownRanking: 'byPlays',
  version: 1,
  layout: 1,
  built: 1,
  createdAt: 0,
  changedAt: 0,
};

function entityOf(attributes: Record<string, AttributeValue>, one: Record<string, string> = {}) {
  const entity: Entity = {
    ...{ type: 'Track', id: '4', createdAt: 1, updatedAt: 1, version: 1, layout: 1, writeId: 'w' },
    attributes: new Map(Object.entries(attributes)),
    one: new Map(Object.entries(one)),
  };
  return entity;
}

function found(entity: Entity) {
  const rows = attributeRows(type, entity, shards).map(parseAttributeRow);
  return Object.fromEntries(rows.map(({ search, values }) => [search, Object.fromEntries(values)]));
}

describe('the rows of searches and rankings', () => {
  it('exist where the entity has values for all parts, except for the own ranking', () => {
    const all = { title: 'Heroes', year: 1977, plays: 10 };
    expect(found(entityOf(all, { artist: '1' }))).toEqual({
      byTitle: { title: 'Heroes' },
      byArtist: { artist: '1', year: 1977 },
      byYear: { year: 1977 },
    });
    expect(found(entityOf({ plays: 10, year: 1 }))).toEqual({ byYear: { year: 1 } });
    expect(found(entityOf({ plays: 10 }, { artist: '1' }))).toEqual({});
    expect(found(entityOf({ title: '' }))).toEqual({ byTitle: { title: '' } });
    expect(found(entityOf({ year: 0 }))).toEqual({ byYear: { year: 0 } });
  });

  it("do not include the own ranking: its key is on the entity's item, where there is a value", () => {
    const item = ownItem(type, entityOf({ plays: 10 }), shards);
    expect(item).toMatchObject({ gsi2pk: 'A#Track#byPlays#0' });
    expect(ownItem(type, entityOf({ year: 1 }), shards)).not.toHaveProperty('gsi2pk');
    const unranked = { ...type, ownRanking: undefined };
    expect(ownItem(unranked, entityOf({ plays: 10 }), shards)).not.toHaveProperty('gsi2pk');
  });

  it('are omitted for an unsearchable value with a callback, and refused without', () => {
    const entity = entityOf({ title: 'x'.repeat(5000), year: 1977 });
    const told: KeyError[] = [];
    const rows = attributeRows(type, entity, shards, (error) => told.push(error));
    expect(rows.map(parseAttributeRow).map(({ search }) => search)).toEqual(['byYear']);
    expect(told.map(({ field }) => field)).toEqual(['attributes.title']);
    expect(() => attributeRows(type, entity, shards)).toThrow(KeyError);
    // Only a KeyError is passed to the callback.
    const searches = [{ name: 'broken', parts: undefined as unknown as [], layout: 1 }];
    const broken = { ...type, searches };
    expect(() => attributeRows(broken, entity, shards, () => undefined)).toThrow(TypeError);
  });
});

describe('the rows of relations', () => {
  const relations = new Map([
    ['artist', ['1']],
    ['featuring', ['2', '1']],
    ['covers', ['1']],
    ['nothing', ['1']],
  ]);

  it('are one for each target, with the names of all relations to it', () => {
    expect([...relationTargets(type, relations).values()]).toEqual([
      { to: { type: 'Artist', id: '1' }, names: ['artist', 'featuring'] },
      { to: { type: 'Artist', id: '2' }, names: ['featuring'] },
      { to: { type: 'Track', id: '1' }, names: ['covers'] },
    ]);
    const from = { type: 'Track', id: '4' };
    const rows = relationRows(from, type, relations, { at: 7 }).map(parseRelation);
    expect(rows).toContainEqual({
      ...{ from, to: { type: 'Artist', id: '1' }, at: 7 },
      relations: ['artist', 'featuring'],
    });
    expect(rows).toHaveLength(3);
  });
});
