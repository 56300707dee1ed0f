import { changedType, deletedType, newType } from './type-changes.ts';
import type { EntityType } from '@engawa/model';
import type { TypeDefinition } from './check/check-type.ts';

const name = { name: 'name', kind: 'text', required: true } as const;
const score = { name: 'score', kind: 'number', required: false } as const;
const artist = { name: 'artist', to: 'Artist', many: false };
const byName = { name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] } as const;
const byArtist = { name: 'byArtist', parts: [{ relation: 'artist' }] };
const top = { name: 'top', attribute: 'score', direction: 'descending' } as const;
const last = { name: 'last', attribute: 'score', direction: 'ascending' } as const;

const song: TypeDefinition = {
  attributes: [name, score],
  relations: [artist],
  searches: [byName, byArtist],
  rankings: [top],
  fullText: ['name'],
};

const first = newType('Song', song, 1000);
const change = (definition: Partial<TypeDefinition>, type: EntityType = first) =>
  changedType(type, { ...song, ...definition }, 2000);
/** A deep copy, like a definition that is sent again. */
const copyOf = (definition: TypeDefinition) =>
  JSON.parse(JSON.stringify(definition)) as TypeDefinition;
const layouts = ({ searches, rankings }: EntityType) =>
  Object.fromEntries([...searches, ...rankings].map(({ name, layout }) => [name, layout]));

describe('a change of a type', () => {
  it('of a new type builds nothing: all searches and rankings are ready', () => {
    expect(first).toMatchObject({ version: 1, layout: 1, built: 1, ownRanking: 'top' });
    expect(layouts(first)).toEqual({ byName: 1, byArtist: 1, top: 1 });
    expect(newType('Song', { ...song, rankings: [] }, 1)).not.toHaveProperty('ownRanking');
  });

  it('to an equal definition changes nothing', () => {
    expect(change(copyOf(song))).toBe(first);
    const bare: TypeDefinition = { ...song, rankings: [] };
    const type = newType('Song', bare, 1000);
    expect(changedType(type, copyOf(bare), 2000)).toBe(type);
  });

  it('of attributes keeps the layout, so no rows are rebuilt', () => {
    const changed = change({ attributes: [{ ...name, required: false }, score] });
    expect(changed).toMatchObject({ version: 2, layout: 1, built: 1 });
    expect(changed).toMatchObject({ createdAt: 1000, changedAt: 2000 });
  });

  it('of the order of searches keeps the layout', () => {
    const changed = change({ searches: [byArtist, byName] });
    expect(changed).toMatchObject({ version: 2, layout: 1 });
    expect(layouts(changed)).toEqual({ byName: 1, byArtist: 1, top: 1 });
  });

  it('builds an added search, while the other searches stay ready', () => {
    const changed = change({ searches: [byName, byArtist, { ...byName, name: 'more' }] });
    expect(changed).toMatchObject({ version: 2, layout: 2, built: 1 });
    expect(layouts(changed)).toEqual({ byName: 1, byArtist: 1, more: 2, top: 1 });
  });

  it('builds a search that gets other parts', () => {
    const parts = [{ attribute: 'name', as: 'text' } as const];
    expect(layouts(change({ searches: [{ name: 'byName', parts }, byArtist] }))).toEqual({
      byName: 2,
      byArtist: 1,
      top: 1,
    });
  });

  it.each<[string, Partial<TypeDefinition>]>([
    ['a search that goes', { searches: [byName] }],
    ['a ranking that goes', { rankings: [] }],
    ['full text', { fullText: [] }],
    ['filters', { filters: [{ attribute: 'name', as: 'text' as const }] }],
  ])('raises the layout for %s', (_, definition) => {
    expect(change(definition)).toMatchObject({ layout: 2, built: 1 });
  });

  it('keeps the own ranking, whose keys are on the items of the entities, while it is declared', () => {
    const changed = change({ rankings: [last, top] });
    expect(changed.ownRanking).toBe('top');
    expect(layouts(changed)).toEqual({ byName: 1, byArtist: 1, last: 2, top: 1 });
  });

  it('builds the ranking whose keys move to the items of the entities', () => {
    const both = change({ rankings: [top, last] });
    const changed = change({ rankings: [last] }, both);
    expect(changed).toMatchObject({ ownRanking: 'last', layout: 3 });
    expect(layouts(changed)).toMatchObject({ last: 3 });
  });

  it('rebuilds a search that is removed and added again', () => {
    const without = change({ searches: [byName] });
    expect(layouts(change({}, without))).toEqual({ byName: 1, byArtist: 3, top: 1 });
  });

  it('that deletes the type keeps its version and layout, which a new type of that name continues', () => {
    const gone = deletedType(first, 1500);
    expect(gone).toMatchObject({ gone: true, version: 2, layout: 2, built: 1, searches: [] });
    const again = change({}, gone);
    expect(again).toMatchObject({ version: 3, layout: 3, built: 1, createdAt: 2000 });
    expect(again).not.toHaveProperty('gone');
    expect(layouts(again)).toEqual({ byName: 3, byArtist: 3, top: 3 });
    const empty = { attributes: [], relations: [], searches: [], rankings: [], fullText: [] };
    expect(changedType(gone, empty, 2000)).toMatchObject({ version: 3, layout: 3 });
  });
});
