import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBeforeEach } from '@engawa/testing';
import { SearchCancelled } from '../../src/full-text/sqlite/search-cancellation.ts';
import { SqliteTextIndex } from '../../src/full-text/sqlite/sqlite-text-index.ts';
import { TextDatabase } from '../../src/full-text/sqlite/text-database.ts';
import { TextIndexLost } from '../../src/full-text/text-index.ts';
import { plainQuery } from './plain-query.ts';
import type { TextRow } from '@engawa/model';

const rowOf = (id: string, values: Record<string, string>): TextRow => ({
  entity: { type: 'Many', id },
  texts: new Map(),
  values: new Map(Object.entries(values)),
  changedAt: 1,
});

const facetsOf = (...names: string[]) => names.map((name) => ({ name, isSet: false }));

describe('values in the full-text index in SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-test-'));
  const index = openBeforeEach(() => new SqliteTextIndex({ folder, maxBytes: 1e9 }));
  beforeEach(async () => (await index.beginBuild()).activate());
  afterAll(() => rmSync(folder, { recursive: true }));

  const question = (rest: Parameters<typeof plainQuery>[1]) => ({
    ...plainQuery('', { types: ['Many'], ...rest }),
    signal: new AbortController().signal,
  });

  it('refuse a facet of more than 50,000 distinct values, and answer the next search', async () => {
    const rows = Array.from({ length: 50_001 }, (_, number) =>
      rowOf(`n${number}`, { unique: `v${number}`, kind: 'same' }),
    );
    await index.apply(rows);
    await expect(
      index.search(question({ facets: facetsOf('kind', 'unique') })),
    ).rejects.toMatchObject({
      code: 'invalid-request',
      fieldErrors: [{ path: 'query.facet' }],
    });
    expect(await index.search(question({ facets: facetsOf('kind'), limit: 1 }))).toMatchObject({
      facets: [{ name: 'kind', values: [{ value: 'same', count: 50_001 }], others: 0 }],
    });
    await index.apply([{ ...rowOf('n0', {}), values: undefined }]);
    const { facets } = await index.search(question({ facets: facetsOf('unique'), limit: 1 }));
    expect(facets).toMatchObject([{ others: 49_950 }]);
  });

  it('end a cancelled count at the next entity, and answer the next search', () => {
    const database = new TextDatabase(':memory:', { maxBytes: 1e8 });
    const keys = new Map([['kind', 'same']]);
    const rows = ['a', 'b', 'c'].map((id) => ({
      entity: { type: 'Many', id },
      texts: undefined,
      keys,
    }));
    database.applyAtOnce(rows);
    const asked = question({ facets: facetsOf('kind'), limit: 1 });
    let polls = 0;
    expect(() => database.search(asked, () => ++polls === 3)).toThrow(SearchCancelled);
    for (let again = 0; again < 2; again++) {
      const { facets } = database.search(asked, () => false);
      expect(facets).toMatchObject([{ values: [{ count: 3 }] }]);
    }
    database.close();
  });

  it('cause a rebuild if a type had more names than there are columns', async () => {
    const name = (number: number) => ({ [`filter ${number}`]: 'x' });
    for (let number = 0; number < 200; number++) await index.apply([rowOf('a', name(number))]);
    const filters = [{ name: 'filter 199', isSet: false, is: 'present' as const, values: [] }];
    expect((await index.search(question({ filters }))).found).toHaveLength(1);
    await expect(index.apply([rowOf('a', name(200))])).rejects.toThrow(TextIndexLost);
    expect(await index.exists()).toBe(false);
  });

  it('keep the columns of committed changes, and drop those of a rolled-back batch', () => {
    const database = new TextDatabase(':memory:', { maxBytes: 200_000 });
    const entity = { type: 'Many', id: 'a' };
    const one = (name: string) => new Map([[name, 'x']]);
    database.applyAtOnce([{ entity, texts: undefined, keys: one('first') }]);
    const long = 'x'.repeat(400);
    const many = Array.from({ length: 1000 }, (_, number) => ({
      entity: { type: 'Many', id: `b${number}` },
      texts: undefined,
      keys: new Map([['second', long]]),
    }));
    expect(() => database.applyAtOnce(many)).toThrow(/full/);
    database.applyAtOnce([{ entity, texts: undefined, keys: one('third') }]);
    const present = (name: string) => [{ name, isSet: false, is: 'present' as const, values: [] }];
    const found = (name: string) =>
      database.search(question({ filters: present(name) }), () => false).found.length;
    expect([found('first'), found('second'), found('third')]).toEqual([0, 0, 1]);
    database.close();
  });
});
