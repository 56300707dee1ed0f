import { Decimal, itemSize } from '@engawa/model';
import fc from 'fast-check';
import { marshalJson } from './marshal-json.ts';
import { marshal } from './marshal.ts';
import { unmarshal } from './unmarshal.ts';
import type { DocumentValue } from '@engawa/model';

const text = fc.string({ unit: 'binary' });
/** The only rejected name. */
const fieldName = text.filter((name) => name !== '__proto__');
const double = fc.double({ noNaN: true, min: -1e120, max: 1e120 }).map((value) => {
  return Math.abs(value) < 1e-120 ? 0 : value;
});
const { value: documentValue } = fc.letrec<{ value: DocumentValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    double,
    fc.boolean(),
    fc.constant(null),
    fc.constant(new Decimal('1234567890.1234567890123456789')),
    fc.uint8Array({ maxLength: 20 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fieldName, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const document = fc.dictionary(fieldName, documentValue, { noNullPrototype: true });

it('is reversed by unmarshal without loss', () => {
  fc.assert(fc.property(document, (given) => expect(unmarshal(marshal(given))).toEqual(given)));
});

it('is reversed by unmarshal after JSON, too', () => {
  fc.assert(
    fc.property(document, (given) => {
      const wire = JSON.parse(marshalJson(given)) as Parameters<typeof unmarshal>[0];
      expect(unmarshal(wire)).toEqual(given);
    }),
  );
});

it('rejects a set', () => {
  expect(() => unmarshal({ set: { SS: ['a'] } })).toThrow('not a value of this table: SS');
});

it("writes JSON that is never shorter than DynamoDB's count", () => {
  fc.assert(
    fc.property(document, (given) => {
      expect(Buffer.byteLength(marshalJson(given))).toBeGreaterThanOrEqual(itemSize(given));
    }),
  );
});

it('tags each value with its type', () => {
  const given = { s: 'x', n: 1e21, d: new Decimal('0.1'), b: Uint8Array.of(1, 2), l: [true, null] };
  expect(marshalJson(given)).toBe(
    '{"s":{"S":"x"},"n":{"N":"1e+21"},"d":{"N":"0.1"},"b":{"B":"AQI="},"l":{"L":[{"BOOL":true},{"NULL":true}]}}',
  );
});

it('omits undefined properties', () => {
  expect(marshal({ a: undefined, b: { c: undefined } })).toEqual({ b: { M: {} } });
});

it.each([
  NaN,
  Infinity,
  1e126,
  1e-131,
  '\udc00',
  { '\ud800': 1 },
  [undefined],
  () => 1,
  1n,
  JSON.parse('{"__proto__":1}') as unknown,
])('rejects values that the table cannot store: %p', (value) => {
  const isInvalid = expect.objectContaining({ reason: 'invalid' }) as Error;
  expect(() => marshal({ value })).toThrow(isInvalid);
  expect(() => marshalJson({ value })).toThrow(isInvalid);
});
