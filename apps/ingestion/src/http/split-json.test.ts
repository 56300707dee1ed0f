import fc from 'fast-check';
import { ArraySplitter, LineSplitter } from './split-json.ts';
import type { Splitter } from './split-json.ts';

/** The pieces of a text that arrives in chunks of this many bytes. */
function split(splitter: Splitter, text: string, chunk: number): [number, string | undefined][] {
  const bytes = Buffer.from(text);
  const pieces: [number, string | undefined][] = [];
  const take = (found: ReturnType<Splitter['end']>) => {
    for (const piece of found) pieces.push([piece.index, piece.bytes?.toString()]);
  };
  for (let start = 0; start < bytes.length; start += chunk) {
    take(splitter.push(bytes.subarray(start, start + chunk)));
  }
  take(splitter.end());
  return pieces;
}

const chunk = fc.integer({ min: 1, max: 20 });
const json = fc.jsonValue();
const indent = fc.constantFrom(0, 2);

describe('a body that is split into readings', () => {
  it('returns the elements of any array, for any chunks', () => {
    fc.assert(
      fc.property(fc.array(json), indent, chunk, (values, spaces, size) => {
        const pieces = split(new ArraySplitter(), JSON.stringify(values, undefined, spaces), size);
        expect(pieces.map(([, text]) => JSON.parse(text ?? '') as unknown)).toEqual(
          JSON.parse(JSON.stringify(values)),
        );
        expect(pieces.map(([index]) => index)).toEqual(values.map((_, index) => index));
      }),
    );
  });

  it('returns any other value whole', () => {
    const single = json.filter((value) => !Array.isArray(value));
    fc.assert(
      fc.property(single, indent, chunk, (value, spaces, size) => {
        const text = JSON.stringify(value, undefined, spaces);
        expect(split(new ArraySplitter(), `\ufeff \n${text}`, size)).toEqual([[0, text]]);
      }),
    );
  });

  it('returns the lines that are not blank, with their indexes', () => {
    fc.assert(
      fc.property(fc.array(fc.option(json)), chunk, (values, size) => {
        const lines = values.map((value) => (value === null ? ' \r' : JSON.stringify(value)));
        const wanted = lines.flatMap((line, index) => (line === ' \r' ? [] : [[index, line]]));
        expect(split(new LineSplitter(), lines.join('\n'), size)).toEqual(wanted);
      }),
    );
  });

  it('does not hold a piece that is too large, and continues after it', () => {
    const large = JSON.stringify('x'.repeat(1_100_000));
    const wanted = [
      [0, '1'],
      [1, undefined],
      [2, '2'],
    ];
    expect(split(new ArraySplitter(), `[1,${large},2]`, 65_536)).toEqual(wanted);
    expect(split(new LineSplitter(), `1\n${large}\n2`, 65_536)).toEqual(wanted);
  });

  it.each(['', ' ', '[', '[1', '["]', '[{]}', '[1,]', '[,1]', '[1]]', '[1] 2', '[}'])(
    'is not an array: %j',
    (text) => {
      expect(() => split(new ArraySplitter(), text, 1)).toThrow(SyntaxError);
    },
  );
});
