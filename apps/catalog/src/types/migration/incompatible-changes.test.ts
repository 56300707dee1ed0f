import { newType } from '../type-changes.ts';
import { incompatibleChanges } from './incompatible-changes.ts';
import type { TypeDefinition } from '../check/check-type.ts';

const name = { name: 'name', kind: 'text', required: true } as const;
const score = { name: 'score', kind: 'number', required: false } as const;
const artist = { name: 'artist', to: 'Artist', many: false };
const song = {
  attributes: [name, score],
  relations: [artist],
  searches: [],
  rankings: [],
  fullText: [],
};
const first = newType('Song', song, 1000);
const migrated = (migration: Partial<TypeDefinition['migration']>) => ({
  migration: { renamed: new Map(), removed: [], converted: new Set<string>(), ...migration },
});

describe('incompatible changes of a type with entities', () => {
  const unfit = (definition: Partial<TypeDefinition>) =>
    incompatibleChanges(first, { ...song, ...definition }).map(({ path, message }) => [
      path,
      message,
    ]);

  it('do not include additions, or changes of searches and rankings', () => {
    const more = { name: 'year', kind: 'number', required: true } as const;
    const attributes = [more, { ...name, required: false }, score];
    const relations = [{ ...artist, name: 'label' }, artist];
    expect(unfit({ attributes, relations, searches: [], rankings: [], fullText: [] })).toEqual([]);
  });

  it('include a removed attribute and a changed kind', () => {
    expect(unfit({ attributes: [{ ...score, kind: 'text' }] })).toEqual([
      ['body.attributes', 'must keep the attribute "name", or name it in `removed`'],
      ['body.attributes[0]', 'must keep the attribute "score" a number, or set `convert`'],
    ]);
  });

  it('include a removed relation and a changed target type', () => {
    expect(unfit({ relations: [] })).toEqual([
      ['body.relations', 'must keep the relation "artist", or name it in `removed`'],
    ]);
    const message = 'must keep the relation "artist" to one of "Artist"';
    expect(unfit({ relations: [{ ...artist, to: 'Band' }] })).toEqual([
      ['body.relations[0]', message],
    ]);
    expect(unfit({ relations: [{ ...artist, many: true }] })).toEqual([]);
    const many = newType('Song', { ...song, relations: [{ ...artist, many: true }] }, 1000);
    expect(incompatibleChanges(many, song)).toMatchObject([{ path: 'body.relations[0]' }]);
  });

  it('do not include changes with a migration', () => {
    const attributes = [{ ...name, name: 'title' }, { ...score, kind: 'text' } as const];
    const migration = { renamed: new Map([['title', 'name']]), converted: new Set(['score']) };
    expect(unfit({ attributes, ...migrated(migration) })).toEqual([]);
    expect(
      unfit({ attributes: [score], relations: [], ...migrated({ removed: ['name', 'artist'] }) }),
    ).toEqual([]);
  });

  it('include reuse of a name that a pending migration frees, and a second conversion', () => {
    const steps = [
      { layout: 2, step: 'rename', from: 'size', to: 'score' },
      { layout: 2, step: 'convert', name: 'score', to: 'number' },
      { layout: 2, step: 'remove', name: 'label' },
    ] as const;
    const type = { ...first, layout: 2, steps };
    const added = {
      attributes: [name, score, { ...name, name: 'size' }],
      relations: [artist, { ...artist, name: 'label' }],
    };
    const wait = { ...song, ...added };
    expect(incompatibleChanges(type, wait).map(({ path }) => path)).toEqual([
      'body.attributes[2].name',
      'body.relations[1].name',
    ]);
    const again = [name, { ...score, kind: 'text' } as const];
    const converted = {
      ...song,
      attributes: again,
      ...migrated({ converted: new Set(['score']) }),
    };
    expect(incompatibleChanges(type, converted)).toMatchObject([{ path: 'body.attributes[1]' }]);
    expect(incompatibleChanges({ ...type, built: 2 }, wait)).toEqual([]);
    expect(incompatibleChanges({ ...type, built: 2 }, converted)).toEqual([]);
  });
});
