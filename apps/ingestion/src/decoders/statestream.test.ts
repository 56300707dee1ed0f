import { decode, fieldsOf, newDecoders, readingsOf } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';

const decoders = newDecoders('statestream=homeassistant/+/+/+');
const state = (text: string) => fieldsOf(decoders, 'homeassistant/sensor/x/state', text)['state'];

describe('statestream', () => {
  it.each([
    ['21.4', 21.4],
    ['-0.5e3', -500],
    ['007', '007'],
    ['1.', '1.'],
    ['1e400', '1e400'],
    ['1'.repeat(39), '1'.repeat(39)],
    ['true', 'true'],
    ['"half', '"half'],
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

  it.each(['unknown', 'unavailable', 'nan', 'NaN'])('has no reading in the state %j', (text) => {
    const draftsOf = (attribute: string) =>
      decode(decoders, `homeassistant/sensor/x/${attribute}`, text).drafts;
    expect(draftsOf('state')).toEqual([]);
    expect(draftsOf('reason')).toHaveLength(1);
  });

  it('has no reading in an empty attribute, and null in an empty list', () => {
    expect(decode(decoders, 'homeassistant/sensor/x/a', '').drafts).toEqual([]);
    for (const text of ['[]', '{}']) {
      expect(fieldsOf(decoders, 'homeassistant/sensor/x/a', text)).toEqual({ a: null });
    }
  });

  it('tells an attribute called state from the state', () => {
    expect(fieldsOf(decoders, 'homeassistant/sensor/x/state', '"On"')).toEqual({
      'attributes.state': 'On',
    });
  });

  it.each([
    ['state', '{"temperature":23.2}'],
    ['state', ' [1]'],
    ['availability', 'online'],
    ['last_updated', 'yesterday'],
  ])('leaves %s %s to others, unless the topic is configured', (attribute, text) => {
    const topic = `homeassistant/sensor/x/${attribute}`;
    expect(decode(newDecoders('statestream'), topic, text).isUnproven).toBe(true);
    expect(fieldsOf(decoders, topic, text)).toEqual({ [attribute]: text });
  });

  it.each([
    ['state', 'on'],
    ['unit', '"°C"'],
    ['count', '7'],
    ['last_changed', '2026-11-19T23:30:00+00:00'],
  ])('takes %s %s on the default topic', (attribute, text) => {
    const topic = `homeassistant/sensor/x/${attribute}`;
    expect(decode(newDecoders('statestream'), topic, text).drafts).toHaveLength(1);
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
