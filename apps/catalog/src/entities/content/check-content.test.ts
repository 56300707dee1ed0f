import { Problem } from '@engawa/errors';
import { Decimal } from '@engawa/model';
import fc from 'fast-check';
import { checkContent, maxRelations } from './check-content.ts';
import { refuseOlder } from './older-content.ts';
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

/** Messages of the field errors, by path. */
function fieldErrorsOf(given: {
  attributes?: unknown;
  relations?: unknown;
}): Record<string, string> {
  try {
    refuseOlder(checkContent(type, given), undefined);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid-request') throw error;
    return Object.fromEntries(error.fieldErrors.map(({ path, message }) => [path, message]));
  }
  return {};
}

const counted = (count: number, prefix = 'a') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('the content of an entity', () => {
  it('is accepted; instants are converted to UTC, names to normal form C, and texts are kept', () => {
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
      ...{ title: 'e\u0301', ['\u00e9']: 'A\u030a', plays: attributes.plays, live: false },
      recorded: '2026-01-01T18:04:05.000Z',
    });
    expect(Object.fromEntries(content.relations)).toEqual({
      artist: ['\u00e9'],
      featuring: ['2', '1'],
    });
  });

  it('cannot set automatic attributes, required or not', () => {
    const { attributes } = checkContent(type, {
      attributes: { title, changedAt: '2000-01-01T00:00:00Z' },
    });
    expect([...attributes.keys()]).toEqual(['title']);
  });

  it('may have 10,000 relations in total, and not 10,001', () => {
    const [half, rest] = [counted(maxRelations / 2), counted(maxRelations / 2 - 1, 'b')];
    const attributes = { title };
    const relations = { artist: '1', featuring: half, covers: rest };
    expect(fieldErrorsOf({ attributes, relations })).toEqual({});
    expect(
      fieldErrorsOf({ attributes, relations: { ...relations, covers: [...rest, 'c'] } }),
    ).toEqual({
      'body.relations': 'must be 10000 ids at most, in total',
    });
  });

  it('may name a related entity once, in any normal form of its id', () => {
    expect(
      fieldErrorsOf({ attributes: { title }, relations: { featuring: ['é', 'e\u0301'] } }),
    ).toEqual({ 'body.relations.featuring': 'must not contain an id twice' });
  });

  it('reports one error for an invalid required attribute', () => {
    expect(fieldErrorsOf({ attributes: { title: 1 } })).toEqual({
      'body.attributes.title': 'must be text',
    });
    expect(fieldErrorsOf({})).toEqual({ 'body.attributes.title': 'is required' });
  });

  it('is accepted or refused with field errors, for any JSON', () => {
    const anything = fc.option(fc.anything({ withNullPrototype: true }), { nil: undefined });
    const named = fc.dictionary(
      fc.constantFrom('title', 'plays', 'artist', 'featuring', 'constructor', '__proto__'),
      fc.anything(),
    );
    const part = fc.oneof(anything, named);
    fc.assert(
      fc.property(part, part, (attributes, relations) => {
        const fieldErrors = fieldErrorsOf({ attributes, relations });
        const paths = Object.keys(fieldErrors);
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
