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
  it('gives its position back, on every process with the secret', () => {
    const other = new CursorCodec({ secret, log });
    fc.assert(
      fc.property(text, json, (question, position) => {
        expect(other.decode(question, codec.encode(question, position))).toEqual(
          JSON.parse(JSON.stringify(position)),
        );
      }),
    );
  });

  // Of one length each modulo three: the last character then has six, two or four bits that count.
  it.each([[['k', 12]], [['k', 123]], [['k', 1234]]])(
    'is refused when any character of it changed: %j',
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

  it('is refused for another question', () => {
    fc.assert(
      fc.property(text, text, json, (question, another, position) => {
        fc.pre(question !== another);
        const cursor = codec.encode(question, position);
        expect(refusal(() => codec.decode(another, cursor))).toBe('invalid-cursor');
      }),
    );
  });

  it('is refused when a piece of its position is moved into the question', () => {
    const bytes = Buffer.from(codec.encode('q', 12), 'base64url');
    const moved = Buffer.concat([bytes.subarray(0, 16), bytes.subarray(17)]).toString('base64url');
    expect(refusal(() => codec.decode('q1', moved))).toBe('invalid-cursor');
  });

  it.each(['', 'A', 'AAAA', '=', 'constructor', 'A'.repeat(maxCursorLength + 4)])(
    'is refused when it is %.20j',
    (cursor) => {
      expect(refusal(() => codec.decode('q', cursor))).toBe('invalid-cursor');
    },
  );

  it('without a secret is of this process only, and a line in the log says so', () => {
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

describe('the question of a cursor', () => {
  it('is the route and its parameters, but for page and order', () => {
    const question = cursorContext('list', { prefix: 'a', from: 1, limit: 10, cursor: 'x' });
    expect(cursorContext('list', { from: 1, prefix: 'a', limit: 20 })).toBe(question);
    expect(cursorContext('list', { from: 2, prefix: 'a' })).not.toBe(question);
    expect(cursorContext('other', { from: 1, prefix: 'a' })).not.toBe(question);
  });
});
