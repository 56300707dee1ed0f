import { plainQuery } from '../../../test/full-text/plain-query.ts';
import { SearchCancelled } from './search-cancellation.ts';
import { TextDatabase } from './text-database.ts';

describe('a full-text index in a SQLite file', () => {
  let database: TextDatabase;
  beforeEach(() => (database = new TextDatabase(':memory:', { maxBytes: 1e8 })));
  afterEach(() => database.close());

  function put(texts: Record<string, string>, type = 'Light'): void {
    const changes = Object.entries(texts).map(([id, text]) => ({
      entity: { type, id },
      texts: new Map([['name', text]]),
      keys: undefined,
    }));
    database.applyAtOnce(changes);
  }

  function find(q: string, { lenient = false, types = [] as string[], limit = 10 } = {}): string[] {
    const query = plainQuery(q, { lenient, types, limit });
    const { found } = database.search(query, () => false);
    return found.map(({ entity }) => entity.id);
  }

  it('ranks exact matches above prefix matches', () => {
    put({ a: 'lampshade', b: 'lampshade of glass', c: 'lamp', d: 'window', e: 'door', f: 'wall' });
    expect(find('lamp')).toEqual(['c', 'a', 'b']);
    expect(find('lamp', { limit: 1 })).toEqual(['c']);
  });

  it('ranks by rarity and frequency of the word, and by length of the text', () => {
    put({ a: 'lamp brass', b: 'lamp', c: 'lamp', d: 'lamp', e: 'window' });
    put({ much: 'hall hall', one: 'hall and', long: 'hall and a lot of other words' });
    expect(find('hall')).toEqual(['much', 'one', 'long']);
    put({ x: '照明 照明', y: '照明 居間 台所' });
    expect(find('照明')).toEqual(['x', 'y']);
  });

  it('sorts hits with equal scores by key, in any order of insertion', () => {
    put({ c: 'lamp', a: 'lamp' });
    put({ b: 'lamp' });
    put({ a: 'lamp' }, 'Annex');
    expect(find('lamp')).toEqual(['a', 'a', 'b', 'c']);
    expect(find('lamp', { types: ['Light'] })).toEqual(['a', 'b', 'c']);
    expect(find('lamp', { types: ['Annex', 'Other'] })).toEqual(['a']);
    expect(find('lamp', { types: ['Other'] })).toEqual([]);
  });

  it.each(['lanturn', 'lanter', 'lanterna', 'xlantern', 'antern', 'lantærn'])(
    'finds lantern by %s where one letter may differ',
    (q) => {
      put({ a: 'lantern', b: 'window' });
      expect(find(q, { lenient: true })).toEqual(['a']);
    },
  );

  it('does not find words at edit distance 2', () => {
    put({ a: 'lantern' });
    expect(find('lanturm', { lenient: true })).toEqual([]);
  });

  it('accepts a search of maximum length', () => {
    const han = Array.from({ length: 200 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    put({ a: han.join('') });
    expect(find(han.join(''))).toEqual(['a']);
    expect(find(han.slice(0, 100).join(' '))).toEqual(['a']);
  });

  it('rolls back a batch with a change that fails', () => {
    put({ a: 'lamp' });
    const small = new TextDatabase(':memory:', { maxBytes: 100_000 });
    const long = Array.from({ length: 9000 }, (_, index) => `w${index}`).join(' ');
    const rowOf = (id: string, text: string) => ({
      entity: { type: 'Light', id },
      texts: new Map([['name', text]]),
      keys: undefined,
    });
    small.applyAtOnce([rowOf('a', 'lamp')]);
    const many = Array.from({ length: 50 }, (_, index) => rowOf(`b${index}`, long));
    expect(() => small.applyAtOnce(many)).toThrow(/full/);
    expect(small.documents).toBe(1);
    const found = (q: string) => small.search(plainQuery(q), () => false).found;
    expect(found('lamp')).toMatchObject([{ entity: { id: 'a' } }]);
    expect(found('w1')).toEqual([]);
    small.close();
  });

  it('ends a cancelled search at the next row', () => {
    put({ a: 'lamp', b: 'lamp', c: 'lamp' });
    const query = plainQuery('lamp');
    let rows = 0;
    expect(() => database.search(query, () => ++rows === 2)).toThrow(SearchCancelled);
    expect(rows).toBe(2);
    expect(find('lamp')).toEqual(['a', 'b', 'c']);
  });
});
