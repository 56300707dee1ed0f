import fc from 'fast-check';
import { startCatalog } from './catalog.ts';
import { declare, quiet } from './entities.ts';
import { byBytes, idsIn, walk } from './list-queries.ts';
import type { Catalog } from './catalog.ts';

/**
 * Few characters, so that many texts are equal, including characters that keys escape, fold and
 * sort specially.
 */
const unit = fc.constantFrom(
  'a',
  'A',
  'ａ',
  '#',
  '$',
  ' ',
  '\0',
  'é',
  'e\u0301',
  '\ue000',
  '😀',
  'ß',
);
const short = fc.string({ unit, maxLength: 3 });
const size = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(-1e100, 0.5, 5e-120));

/** Texts around the maximum length in a key. */
const long = [616, 619, 621, 622, 700].map((length) => 'a'.repeat(length));
const longOrShort = fc.oneof(
  short,
  fc.tuple(fc.constantFrom(...long), short).map((both) => both.join('')),
);

interface Note {
  id: string;
  text: string;
  size: number;
}

interface EncodingCase {
  encoding: string;
  /** Compares texts by bytes. */
  fold: (text: string) => string;
  stored: fc.Arbitrary<string>;
}

const encodingCases: EncodingCase[] = [
  {
    encoding: 'collated',
    fold: (text) => text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC'),
    stored: longOrShort,
  },
  // Longer texts are refused.
  { encoding: 'text', fold: (text) => text.normalize('NFC'), stored: short },
];

const drawnQuery = fc.record({
  kind: fc.constantFrom('all', 'equal', 'both equal', 'prefix', 'range', 'range of size'),
  first: longOrShort,
  second: longOrShort,
  least: size,
  most: size,
  order: fc.constantFrom('ascending', 'descending'),
  limit: fc.constantFrom(4, 15, 1000),
});

type DrawnQuery = typeof drawnQuery extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Query parameters, and the equivalent predicate. */
function ask(drawn: DrawnQuery, fold: EncodingCase['fold']): [object, (note: Note) => boolean] {
  const [first, second] = [drawn.first, drawn.second].toSorted((a, b) =>
    byBytes(fold(a), fold(b)),
  ) as [string, string];
  const [least, most] = [drawn.least, drawn.most].toSorted((a, b) => a - b) as [number, number];
  const isFirst = ({ text }: Note) => fold(text) === fold(first);
  switch (drawn.kind) {
    case 'equal':
      return [{ eq: first }, isFirst];
    case 'both equal':
      return [{ eq: [first, String(least)] }, (note) => isFirst(note) && note.size === least];
    case 'prefix':
      // Without parameters, all notes match.
      return [{ prefix: `${first}a` }, ({ text }) => fold(text).startsWith(fold(`${first}a`))];
    case 'range':
      return [
        { from: first, to: second },
        ({ text }) =>
          byBytes(fold(text), fold(first)) >= 0 && byBytes(fold(text), fold(second)) <= 0,
      ];
    case 'range of size':
      return [
        { eq: first, from: least, to: most },
        (note) => isFirst(note) && note.size >= least && note.size <= most,
      ];
    default:
      return [{}, () => true];
  }
}

/** Tests of this number of random searches per encoding. */
export function testRandomSearches(numRuns: number): void {
  describe.each(encodingCases)(
    'a search of a text as $encoding, page by page',
    ({ encoding, fold, stored }) => {
      let catalog: Catalog;
      let notes: Note[];

      beforeAll(async () => {
        catalog = await startCatalog({ ...quiet, RATE_LIMIT_PER_MINUTE: '0' });
        const parts = [{ attribute: 'text', as: encoding }, { attribute: 'size' }];
        const attributes = [
          { name: 'text', kind: 'text' },
          { name: 'size', kind: 'number' },
        ];
        await declare(catalog, { Note: { attributes, searches: [{ name: 'by', parts }] } });
        const drawn = fc.sample(fc.record({ text: stored, size }), { seed: 7, numRuns: 100 });
        // Some ids are prefixes of others.
        notes = drawn.map((note, index) => ({
          ...note,
          id: index % 3 === 0 ? `#${index}` : `${index}#`,
        }));
        const body = notes.map(({ id, text, size }) => {
          return { type: 'Note', id, attributes: { text, size } };
        });
        expect(await catalog.ask('/v1/entities', { method: 'POST', body })).toMatchObject({
          body: { entities: { created: notes.length } },
        });
      });
      afterAll(() => catalog.close());

      /** Index order: texts with equal truncated keys are sorted by size. */
      function sorted(found: readonly Note[]): string[] {
        const key = ({ text }: Note) => cut(fold(text));
        return found
          .toSorted((a, b) => byBytes(key(a), key(b)) || a.size - b.size || byBytes(a.id, b.id))
          .map(({ id }) => id);
      }

      it('returns the same as filtering and sorting in memory', async () => {
        await fc.assert(
          fc.asyncProperty(drawnQuery, async (drawn) => {
            const [parameters, matches] = ask(drawn, fold);
            const { order, limit } = drawn;
            const pages = await walk<Note>(catalog, ['search', 'Note', 'by'], {
              ...parameters,
              order,
              limit,
            });
            const wanted = sorted(notes.filter(matches));
            expect(idsIn(pages)).toEqual(order === 'ascending' ? wanted : wanted.toReversed());
          }),
          { numRuns, seed: 11 },
        );
      });
    },
  );
}

/** Truncates like the key: 622 bytes, two for an escaped character. */
function cut(text: string): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += character <= '$' ? 2 : Buffer.byteLength(character);
    if (used > 622) break;
    end += character.length;
  }
  return text.slice(0, end);
}
