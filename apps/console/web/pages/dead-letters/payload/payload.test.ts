import { cborNotation } from './cbor-notation.ts';
import { bestForm, showPayload } from './forms.ts';
import { hexDump, visibleText } from './hex.ts';
import { indentJson } from './indent-json.ts';

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

describe('CBOR in diagnostic notation', () => {
  // Examples of RFC 8949, appendix A.
  it.each([
    ['00', '0'],
    ['1bffffffffffffffff', '18446744073709551615'],
    ['3bffffffffffffffff', '-18446744073709551616'],
    ['c249010000000000000000', "2(h'010000000000000000')"],
    ['f90000', '0.0'],
    ['f98000', '-0.0'],
    ['f93e00', '1.5'],
    ['f90001', '5.960464477539063e-8'],
    ['fa7f7fffff', '3.4028234663852886e+38'],
    ['fb3ff199999999999a', '1.1'],
    ['f97c00', 'Infinity'],
    ['f97e00', 'NaN'],
    ['f4', 'false'],
    ['f7', 'undefined'],
    ['f0', 'simple(16)'],
    ['f8ff', 'simple(255)'],
    ['c11a514b67b0', '1(1363896240)'],
    ['6449455446', '"IETF"'],
    ['62225c', '"\\"\\\\"'],
    ['80', '[]'],
    ['a0', '{}'],
    ['8301820203820405', '[\n  1,\n  [\n    2,\n    3\n  ],\n  [\n    4,\n    5\n  ]\n]'],
    ['a201020304', '{\n  1: 2,\n  3: 4\n}'],
    ['5f42010243030405ff', "(_ h'0102', h'030405')"],
    ['9f0102ff', '[_\n  1,\n  2\n]'],
  ])('shows %s', (hex, notation) => {
    expect(cborNotation(bytesOf(hex))).toBe(notation);
  });

  it.each([
    ['19', 'ends inside an item'],
    ['9bffffffffffffffff00', 'ends inside an item'],
    ['0000', 'from offset 1'],
    ['ff', 'an unexpected break'],
    ['1c', 'additional information 28'],
    ['81'.repeat(200), 'nested deeper'],
    ['61ff', ''],
  ])('rejects %s', (hex, message) => {
    expect(() => cborNotation(bytesOf(hex))).toThrow(message);
  });
});

it('indents JSON without a change of numbers and texts', () => {
  const json = ' {"a" : 1.0, "b":[ ],"c":[12345678901234567890,{"d, {":"x \\" [1,2]"}],"e":-1E+2}';
  expect(indentJson(json)).toBe(
    '{\n  "a": 1.0,\n  "b": [],\n  "c": [\n    12345678901234567890,\n    {\n' +
      '      "d, {": "x \\" [1,2]"\n    }\n  ],\n  "e": -1E+2\n}',
  );
  expect(() => indentJson('{"a":}')).toThrow(SyntaxError);
});

it('shows bytes as hex, and control characters of text', () => {
  expect(hexDump(bytesOf('41420a'), 4)).toBe('0000  41 42 0a     AB·');
  expect(hexDump(new Uint8Array(5), 4).split('\n')[1]).toBe('0004  00           ·');
  expect(visibleText('a\u0000b\n\u007f')).toBe('a\u2400b\n\u2421');
});

describe('the form in which a payload is shown at first', () => {
  const payload = (text: string, topic = 'engawa/a/readings') => ({
    ...{ bytes: new TextEncoder().encode(text), text, topic, isWhole: true },
  });
  it.each([
    ['json', payload('{"a":1}')],
    ['text', payload('{"a":')],
    ['text', payload('21.5')],
    ['hex', payload('')],
    ['sparkplug', payload('\b\u0001', 'spBv1.0/g/DDATA/n/d')],
    ['cbor', { ...payload(''), bytes: bytesOf('a16161f93e00'), text: undefined }],
    ['hex', { ...payload(''), bytes: bytesOf('fffe'), text: undefined }],
  ] as const)('is %s', (form, given) => {
    expect(bestForm(given)).toBe(form);
  });

  it('says why a payload does not have a form', () => {
    expect(showPayload({ ...payload('{}'), isWhole: false }, 'json')).toEqual({
      failure: 'not-whole',
    });
    expect(showPayload({ ...payload(''), text: undefined }, 'text')).toEqual({
      failure: 'not-utf8',
    });
  });
});
