import { Problem } from '@engawa/errors';
import { Decimal } from '@engawa/model';
import fc from 'fast-check';
import { checkContent, maxRelations } from './check-content.ts';
import type { EntityType } from '@engawa/model';

const type: EntityType = {
  name: 'Track',
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'plays', kind: 'number', required: false },
    { name: 'live', kind: 'boolean', required: false },
    { name: 'recorded', kind: 'instant', required: false },
    { name: 'é', kind: 'text', required: false },
    { name: 'changedAt', kind: 'instant', required: true, automatic: 'updated' },
  ],
  relations: [
    { name: 'artist', to: 'Artist', many: false },
    { name: 'featuring', to: 'Artist', many: true },
    { name: 'covers', to: 'Track', many: true },
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

const title = 'Heroes';

/** What is said to be wrong, by where it is. */
function faultsOf(given: { attributes?: unknown; relations?: unknown }): Record<string, string> {
  try {
    checkContent(type, given);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid-request') throw error;
    return Object.fromEntries(error.fieldErrors.map(({ path, message }) => [path, message]));
  }
  return {};
}

const counted = (count: number, prefix = 'a') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('the content of an entity', () => {
  it('is taken as it is, an instant in UTC, names and texts in one normal form', () => {
    const attributes = {
      title: 'e\u0301',
      ['e\u0301']: 'A\u030a',
      plays: new Decimal('0.10000000000000000001'),
      live: false,
      recorded: '2026-01-02T03:04:05+09:00',
    };
    const relations = { artist: 'e\u0301', featuring: ['2', '1'] };
    const content = checkContent(type, { attributes, relations });
    expect(Object.fromEntries(content.attributes)).toEqual({
      ...{ title: '\u00e9', ['\u00e9']: '\u00c5', plays: attributes.plays, live: false },
      recorded: '2026-01-01T18:04:05.000Z',
    });
    expect(Object.fromEntries(content.relations)).toEqual({
      artist: ['\u00e9'],
      featuring: ['2', '1'],
    });
  });

  it('has no say in what the service writes by itself, required or not', () => {
    const { attributes } = checkContent(type, {
      attributes: { title, changedAt: '2000-01-01T00:00:00Z' },
    });
    expect([...attributes.keys()]).toEqual(['title']);
  });

  it('may have 10,000 relations, all together, and not one more', () => {
    const [half, rest] = [counted(maxRelations / 2), counted(maxRelations / 2 - 1, 'b')];
    const attributes = { title };
    const relations = { artist: '1', featuring: half, covers: rest };
    expect(faultsOf({ attributes, relations })).toEqual({});
    expect(faultsOf({ attributes, relations: { ...relations, covers: [...rest, 'c'] } })).toEqual({
      'body.relations': 'must be 10000 at most, in total',
    });
  });

  it('names one entity once, whatever normal form its id is in', () => {
    expect(faultsOf({ attributes: { title }, relations: { featuring: ['é', 'e\u0301'] } })).toEqual(
      { 'body.relations.featuring': 'must not contain an id twice' },
    );
  });

  it('says once what is wrong with an attribute that is required', () => {
    expect(faultsOf({ attributes: { title: 1 } })).toEqual({
      'body.attributes.title': 'must be text',
    });
    expect(faultsOf({})).toEqual({ 'body.attributes.title': 'is required' });
  });

  it('is either taken or said to be wrong, whatever it is', () => {
    const anything = fc.option(fc.anything({ withNullPrototype: true }), { nil: undefined });
    const named = fc.dictionary(
      fc.constantFrom('title', 'plays', 'artist', 'featuring', 'constructor', '__proto__'),
      fc.anything(),
    );
    const part = fc.oneof(anything, named);
    fc.assert(
      fc.property(part, part, (attributes, relations) => {
        const faults = faultsOf({ attributes, relations });
        const paths = Object.keys(faults);
        expect(paths.every((path) => /^body\.(attributes|relations)/.test(path))).toBe(true);
        if (paths.length > 0) return;
        const content = checkContent(type, { attributes, relations });
        expect(typeof content.attributes.get('title')).toBe('string');
        for (const name of content.attributes.keys()) {
          expect(type.attributes.map((one) => one.name)).toContain(name);
        }
        for (const [name, ids] of content.relations) {
          expect(type.relations.map((one) => one.name)).toContain(name);
          expect(new Set(ids).size).toBe(ids.length);
        }
      }),
    );
  });
});
