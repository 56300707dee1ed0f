import { parseExactJson } from '@engawa/model';
import { checkReading } from './check-reading.ts';
import { rejectionOf } from '../../test/rejection-of.ts';

const now = Date.parse('2026-11-20T00:00:00Z');
const limits = { maxAgeMs: 3650 * 86_400_000, maxAheadMs: 86_400_000 };
function check(fields: object, time?: unknown) {
  const draft = { time, fields: fields as Record<string, unknown> };
  const reading = checkReading(draft, now, limits);
  if (reading === undefined) throw new Error('no reading');
  return reading;
}

const nested = (depth: number): object => (depth === 0 ? { x: 1 } : { x: nested(depth - 1) });

describe('the time of a reading', () => {
  it.each([
    ['2026-11-20T08:30:00+09:00', '2026-11-19T23:30:00.000Z'],
    ['2026-11-19T23:30:00.1239Z', '2026-11-19T23:30:00.123Z'],
    ['2026-11-19T23:30Z', '2026-11-19T23:30:00.000Z'],
    [1795131000, '2026-11-19T23:30:00.000Z'],
    [1795131012.48, '2026-11-19T23:30:12.480Z'],
    [1795131060000, '2026-11-19T23:31:00.000Z'],
    [parseExactJson('1795131012.48000000000001'), '2026-11-19T23:30:12.480Z'],
    [undefined, '2026-11-20T00:00:00.000Z'],
  ])('given as %j is %s', (time, expected) => {
    expect(new Date(check({ x: 1 }, time).time).toISOString()).toBe(expected);
  });

  it.each([
    ['2026-11-20T08:30:00', 'ts is a local time, which needs an offset'],
    ['1795131000', 'ts is an epoch in a text'],
    ['yesterday', 'ts must be ISO-8601 with an offset'],
    ['2026-13-20T08:30:00Z', 'ts must be ISO-8601 with an offset'],
    [null, 'ts must be ISO-8601 with an offset'],
    [1795131000_000_000_000, 'ts must be ISO-8601 with an offset'],
    [now + limits.maxAheadMs + 1, 'ts is too far ahead: 2026-11-21T00:00:00.001Z'],
    [now - limits.maxAgeMs - 1, 'ts is too long ago: 2016-11-21T23:59:59.999Z'],
    ['1970-01-01T00:00:00Z', 'ts is too long ago: 1970'],
  ])('may not be %j', (time, detail) => {
    expect(() => check({ x: 1 }, time)).toThrow(new RegExp(detail));
  });
});

describe('a time that no key can hold', () => {
  it.each([-99e12, '-001168-01-01T00:00:00Z', -62_167_219_200_001])('%s is refused', (time) => {
    const endless = { maxAgeMs: Infinity, maxAheadMs: Infinity };
    const draft = { time, fields: { x: 1 } };
    expect(rejectionOf(() => checkReading(draft, now, endless)).reason).toBe('bad_time');
  });
});

describe('the fields of a reading', () => {
  it('get one flat name each, with any characters', () => {
    const reading = check({
      pk: 1,
      constructor: 'x',
      AM2301: { DewPoint: 4.9, list: [true, null] },
      温度: 20,
    });
    expect(reading.fields).toEqual({
      pk: 1,
      constructor: 'x',
      'AM2301.DewPoint': 4.9,
      'AM2301.list.0': true,
      'AM2301.list.1': null,
      温度: 20,
    });
  });

  it('are null where a list or a map is empty', () => {
    expect(check({ faults: [], info: { scenes: {}, x: 1 } }).fields).toEqual({
      faults: null,
      'info.scenes': null,
      'info.x': 1,
    });
  });

  it('have no null for a map whose values are all left out', () => {
    expect(check({ x: 1, info: { '': 1, deep: { a: '\ud800' } } }).fields).toEqual({ x: 1 });
  });

  const unfit: [object, string, string][] = [
    [{}, 'bad_field', 'has no field'],
    [{ '': 1 }, 'bad_field', 'empty name'],
    [{ 'a.b': 1, a: { b: 2 } }, 'bad_field', 'two fields are called "a.b"'],
    [{ [`x${'界'.repeat(85)}`]: 1 }, 'bad_field', 'more than 255 bytes'],
    [{ a: '\ud800' }, 'bad_field', 'half of a surrogate pair'],
    [{ '\udc00': 1 }, 'bad_field', 'half of a surrogate pair in its name'],
    [JSON.parse('{"__proto__": 1}') as object, 'bad_field', '__proto__'],
    [nested(32), 'too_deep', 'more than 32 deep'],
    [{ text: 'x'.repeat(64 * 1024) }, 'too_large', 'the maximum is 61440'],
    [
      parseExactJson('{"a": 123456789012345678901234567890123456789}') as object,
      'bad_number',
      '39 digits',
    ],
    [
      parseExactJson('{"a": {"b": 1e400}}') as object,
      'bad_number',
      'field "a.b": a number out of range',
    ],
  ];
  it.each(unfit)('may not be %j', (fields, reason, detail) => {
    const rejection = rejectionOf(() => check(fields));
    expect(rejection.reason).toBe(reason);
    expect(rejection.message).toContain(detail);
  });

  it('may be nested 31 deep', () => {
    expect(Object.values(check(nested(31)).fields)).toEqual([1]);
  });
});
