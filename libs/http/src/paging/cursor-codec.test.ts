import { Problem } from '@engawa/errors';
import fc from 'fast-check';
import { pino } from 'pino';
import { CursorCodec, maxCursorLength, cursorContext } from './cursor-codec.ts';
import type { JsonValue } from './cursor-codec.ts';

const log = pino({ enabled: false });
const secret = 'a secret of more than thirty-two characters';
const codec = new CursorCodec({ secret, log });
const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const text = fc.string({ unit: 'binary' });

const refusal = (decode: () => unknown): unknown => {
  try {
    return decode();
  } catch (error) {
    return error instanceof Problem ? error.code : error;
  }
};

describe('a cursor', () => {
  it('decodes to its position, on every process with the secret', () => {
    const other = new CursorCodec({ secret, log });
    fc.assert(
      fc.property(text, json, (context, position) => {
        expect(other.decode(context, codec.encode(context, position))).toEqual(
          JSON.parse(JSON.stringify(position)),
        );
      }),
    );
  });

  // One of each length modulo three: the last character then has six, two or four significant bits.
  it.each([[['k', 12]], [['k', 123]], [['k', 1234]]])(
    'is rejected when any character of it changed: %j',
    (position) => {
      const cursor = codec.encode('q', position);
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=%';
      const taken = Array.from(cursor, (_, index) =>
        ['', ...Array.from(alphabet)]
          .map((changed) => cursor.slice(0, index) + changed + cursor.slice(index + 1))
          .filter((forged) => forged !== cursor)
          .filter((forged) => refusal(() => codec.decode('q', forged)) !== 'invalid-cursor'),
      );
      expect(taken.flat()).toEqual([]);
    },
  );

  it('is rejected in another context', () => {
    fc.assert(
      fc.property(text, text, json, (context, another, position) => {
        fc.pre(context !== another);
        const cursor = codec.encode(context, position);
        expect(refusal(() => codec.decode(another, cursor))).toBe('invalid-cursor');
      }),
    );
  });

  it('is rejected when a part of its position is moved into the context', () => {
    const bytes = Buffer.from(codec.encode('q', 12), 'base64url');
    const moved = Buffer.concat([bytes.subarray(0, 16), bytes.subarray(17)]).toString('base64url');
    expect(refusal(() => codec.decode('q1', moved))).toBe('invalid-cursor');
  });

  it.each(['', 'A', 'AAAA', '=', 'constructor', 'A'.repeat(maxCursorLength + 4)])(
    'is rejected when it is %.20j',
    (cursor) => {
      expect(refusal(() => codec.decode('q', cursor))).toBe('invalid-cursor');
    },
  );

  it('without a secret is valid in this process only, and a warning is logged', () => {
    const lines: string[] = [];
    const logging = pino({}, { write: (line: string) => void lines.push(line) });
    const [one, two] = [1, 2].map(() => new CursorCodec({ secret: undefined, log: logging }));
    const cursor = one?.encode('q', 1) ?? '';
    expect(one?.decode('q', cursor)).toBe(1);
    expect(refusal(() => two?.decode('q', cursor))).toBe('invalid-cursor');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('CURSOR_SECRET');
  });
});

describe('the context of a cursor', () => {
  it('is the route and its parameters, except page and order', () => {
    const context = cursorContext('list', { prefix: 'a', from: 1, limit: 10, cursor: 'x' });
    expect(cursorContext('list', { from: 1, prefix: 'a', limit: 20 })).toBe(context);
    expect(cursorContext('list', { from: 2, prefix: 'a' })).not.toBe(context);
    expect(cursorContext('other', { from: 1, prefix: 'a' })).not.toBe(context);
  });
});
