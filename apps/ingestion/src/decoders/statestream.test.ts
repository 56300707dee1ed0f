import { decode, fieldsOf, newDecoders, readingsOf } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';

const decoders = newDecoders();
const state = (text: string) => fieldsOf(decoders, 'homeassistant/sensor/x/state', text)['state'];

describe('statestream', () => {
  it.each([
    ['21.4', 21.4],
    ['-0.5e3', -500],
    ['007', '007'],
    ['1.', '1.'],
    ['NaN', 'NaN'],
    ['1e400', '1e400'],
    ['1'.repeat(39), '1'.repeat(39)],
    ['true', 'true'],
    ['"quoted"', '"quoted"'],
    ['[1]', '[1]'],
    ['Unknown', 'Unknown'],
    [' 21.4', ' 21.4'],
    ['居間', '居間'],
  ])('has the field of the state %j %j', (text, value) => {
    expect(state(text)).toBe(value);
  });

  it.each([
    ['true', { a: true }],
    ['"text"', { a: 'text' }],
    ['plain text', { a: 'plain text' }],
    ['null', { a: null }],
    ['{"b":{"c":1}}', { 'a.b.c': 1 }],
  ])('has the field of the attribute %j %j', (text, fields) => {
    expect(fieldsOf(decoders, 'homeassistant/sensor/x/a', text)).toEqual(fields);
  });

  it.each(['unknown', 'unavailable'])('has no reading in the state %j', (text) => {
    const draftsOf = (attribute: string) =>
      decode(decoders, `homeassistant/sensor/x/${attribute}`, text).drafts;
    expect(draftsOf('state')).toEqual([]);
    expect(draftsOf('reason')).toHaveLength(1);
  });

  it.each(['', '[]', '{}'])('has no reading in the attribute %j', (text) => {
    expect(decode(decoders, 'homeassistant/sensor/x/a', text).drafts).toEqual([]);
  });

  it('refuses invalid UTF-8 and payloads that are nested too deeply', () => {
    const attempt = (payload: string | Uint8Array) =>
      rejectionOf(() => readingsOf(decode(decoders, 'homeassistant/sensor/x/a', payload))).reason;
    expect(attempt(Buffer.from([0xc3]))).toBe('malformed');
    expect(attempt(`${'['.repeat(40)}1${']'.repeat(40)}`)).toBe('too_deep');
    expect(attempt(`${'['.repeat(1e6)}1e1${']'.repeat(1e6)}`)).toBe('too_deep');
  });

  it('may have another base topic', () => {
    const own = newDecoders('statestream=home/ha/#');
    expect(decode(own, 'home/ha/sensor/x/state', '1').device).toBe('sensor.x');
    expect(decode(own, 'home/ha/sensor/x/y/config', '{}').drafts).toEqual([]);
  });
});
