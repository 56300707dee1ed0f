import { Problem } from '@engawa/errors';
import fc from 'fast-check';
import { applyChanges, checkChanges } from './check-changes.ts';
import type { EntityType } from '@engawa/model';
import type { Content } from './content.ts';

const type: EntityType = {
  name: 'Track',
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'plays', kind: 'number', required: false },
    { name: 'changedAt', kind: 'instant', required: false, automatic: 'updated' },
  ],
  relations: [
    { name: 'artist', to: 'Artist', many: false },
    { name: 'featuring', to: 'Artist', many: true },
  ],
  searches: [],
  rankings: [],
  fullText: [],
  version: 1,
  layout: 1,
  built: 1,
  createdAt: 0,
  changedAt: 0,
};

const content: Content = {
  attributes: new Map<string, string | number>([
    ['title', 'Heroes'],
    ['plays', 1],
  ]),
  relations: new Map([
    ['artist', ['1']],
    ['featuring', ['1', '2', '3']],
  ]),
};

function changed(given: { attributes?: unknown; relations?: unknown }) {
  const { attributes, relations } = applyChanges(content, checkChanges(type, given));
  return {
    attributes: Object.fromEntries(attributes),
    relations: Object.fromEntries(relations),
  };
}

function pathsOf(given: { attributes?: unknown; relations?: unknown }): string[] {
  try {
    checkChanges(type, given);
    return [];
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid-request') throw error;
    return error.fieldErrors.map(({ path }) => path);
  }
}

describe('a patch of an entity', () => {
  it('keeps attributes and relations that it does not name', () => {
    expect(changed({ attributes: { plays: 2 } })).toEqual({
      attributes: { title: 'Heroes', plays: 2 },
      relations: { artist: ['1'], featuring: ['1', '2', '3'] },
    });
    expect(changed({ relations: { artist: '2' } }).relations).toEqual({
      artist: ['2'],
      featuring: ['1', '2', '3'],
    });
  });

  it('removes optional attributes with null, and stores no empty relation', () => {
    expect(changed({ attributes: { plays: null } }).attributes).toEqual({ title: 'Heroes' });
    expect(pathsOf({ attributes: { title: null } })).toEqual(['body.attributes.title']);
    for (const featuring of [null, [], { remove: ['3', '1', '2'] }]) {
      expect(changed({ relations: { artist: null, featuring } }).relations).toEqual({});
    }
  });

  it('cannot change automatic attributes', () => {
    const given = { attributes: { changedAt: '2000-01-01T00:00:00Z' } };
    expect(checkChanges(type, given).attributes).toEqual(new Map());
    expect(pathsOf({ attributes: { changedAt: null, nothing: 1 } })).toEqual([
      'body.attributes.nothing',
    ]);
  });

  it('adds each missing id once; an id that is added and removed stays', () => {
    const featuring = { add: ['3', '4', '2'], remove: ['1', '2', 'nobody'] };
    expect(changed({ relations: { featuring } }).relations).toMatchObject({
      featuring: ['3', '4', '2'],
    });
  });

  it.each([
    ['an unknown property', { add: ['1'], remove: [], set: ['2'] }],
    ['a duplicate id', { add: ['1', '1'] }],
    ['a text instead of a list', { remove: '1' }],
    ['null instead of a list', { add: null }],
    ['numbers instead of ids', { add: [1] }],
  ])('is refused with %s', (_, featuring) => {
    expect(pathsOf({ relations: { featuring } })).toEqual(['body.relations.featuring']);
  });

  it('cannot add to or remove from a relation to one', () => {
    expect(pathsOf({ relations: { artist: { add: ['1'] } } })).toEqual(['body.relations.artist']);
    expect(pathsOf({ relations: { artist: ['1'] } })).toEqual(['body.relations.artist']);
  });

  it('equals set union and difference, for any added and removed ids', () => {
    const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5'));
    fc.assert(
      fc.property(ids, ids, ids, (there, add, remove) => {
        const before: Content = { ...content, relations: new Map([['featuring', there]]) };
        const changes = checkChanges(type, { relations: { featuring: { add, remove } } });
        const after = applyChanges(before, changes).relations.get('featuring') ?? [];
        const all = ['1', '2', '3', '4', '5'];
        const stays = (id: string) => there.some((one) => one === id && !remove.includes(one));
        const expected = all.filter((id) => stays(id) || add.some((one) => one === id));
        expect(after.toSorted()).toEqual(expected);
        // The current content is not modified.
        expect(before.relations.get('featuring')).toBe(there);
      }),
    );
  });
});
