import { decode as decodeWith, newDecoders } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';
import { findDecoder } from './decode-message.ts';
import type { Decoded } from '../decoders/decoder.ts';

const decoders = newDecoders();
const decode = (topic: string, payload: string | Uint8Array): Decoded =>
  decodeWith(decoders, topic, payload);

describe('a message', () => {
  it('keeps the digits of its numbers', () => {
    const { drafts } = decode('engawa/d/readings', '{"total": 12345678901234567890.123}');
    expect(JSON.stringify(drafts[0]?.fields)).toBe('{"total":12345678901234567890.123}');
  });

  it('may begin with a byte order mark', () => {
    expect(decode('engawa/d/readings', '\ufeff{"x": 1}').drafts).toHaveLength(1);
  });

  it('belongs to the device in its topic, for any payload', () => {
    expect(decode('engawa/居間-1/readings', '{"device": "other", "x": 1}').device).toBe('居間-1');
  });

  it.each([
    ['engawa/d/readings', '', 'malformed'],
    ['engawa/d/readings', 'on', 'malformed'],
    ['engawa/d/readings', '{"x": 1', 'malformed'],
    ['engawa/d/readings', '{"x": nano}', 'malformed'],
    ['engawa/d/readings', '[]', 'malformed'],
    ['engawa/d/readings', Buffer.from([0x22, 0xff, 0x22]), 'malformed'],
    [`engawa/${'d'.repeat(200)}/readings`, '{"x": 1}', 'bad_device'],
    ['engawa//readings', '{"x": 1}', 'bad_device'],
    ['engawa/a\u0000b/readings', '{"x": 1}', 'bad_device'],
    ['engawa/../readings', '{"x": 1}', 'bad_device'],
  ])('on %j with %j is refused as %s', (topic, payload, reason) => {
    expect(rejectionOf(() => decode(topic, payload)).reason).toBe(reason);
  });

  it('is refused, not fatal, when it is a million levels deep', () => {
    const deep = `{"x": 1e1, "y": ${'['.repeat(1e6)}${']'.repeat(1e6)}}`;
    expect(rejectionOf(() => decode('engawa/d/readings', deep)).reason).toBe('too_deep');
  });

  it('refuses only the reading that is not an object', () => {
    const { drafts } = decode('engawa/d/readings', '[1, null, [], {"x": 1}]');
    expect(drafts.map(({ fields }) => Object.keys(fields).length)).toEqual([0, 0, 0, 1]);
  });

  it('without a reading may have a topic with an invalid device id', () => {
    expect(decode(`zigbee2mqtt/bridge/${'x'.repeat(300)}`, 'x').drafts).toEqual([]);
  });
});

describe('the decoder of a topic', () => {
  it.each([
    ['engawa/d/readings', 'native'],
    ['engawa/d/status', undefined],
    ['zigbee2mqtt', 'zigbee2mqtt'],
    ['zigbee2mqtt/status/x', 'zigbee2mqtt'],
    ['tele/x/LWT', undefined],
    ['$SYS/status/clients', undefined],
    ['shelly/status/sys', 'shelly'],
  ])('%s is %s', (topic, name) => {
    expect(findDecoder(decoders, topic)?.name).toBe(name);
  });
});
