import { Decimal, UnfitNumber } from '@engawa/model';
import { parseReadingJson } from './reading-json.ts';

describe('JSON of a reading', () => {
  it.each(['NaN', 'nan', '-nan', 'Infinity', '-Infinity', 'inf', '-inf', '+INF'])(
    'has an unfit number for %s, and exact numbers beside it',
    (literal) => {
      expect(
        parseReadingJson(`{"a":${literal},"b":[${literal},12345678901234567890],"c":"x"}`),
      ).toEqual({
        a: expect.any(UnfitNumber) as unknown,
        b: [expect.any(UnfitNumber), new Decimal('12345678901234567890')],
        c: 'x',
      });
    },
  );

  it('keeps such words in texts and names', () => {
    const json = '{"nan":"inf \\" nan \\\\","x":NaN}';
    expect(parseReadingJson(json)).toMatchObject({ nan: 'inf " nan \\' });
  });

  it.each(['{"a":nano}', '{"a":xnan}', '{"a":1nan}', '{nan:1}', '{"a":NaN', 'NaN NaN', ''])(
    'is not %s; the error is that of the original text',
    (text) => {
      const original = () => JSON.parse(text) as unknown;
      let message = '';
      try {
        original();
      } catch (error) {
        message = (error as Error).message;
      }
      expect(() => parseReadingJson(text)).toThrow(new SyntaxError(message));
    },
  );

  // A pattern that tries each quote of an open string takes hours for these.
  it.each(['"', '\\', ''])('is refused with a million escaped quotes that end with %j', (end) => {
    expect(() => parseReadingJson(`{"x":"${'\\"'.repeat(1e6)}${end}`)).toThrow(SyntaxError);
  });
});
