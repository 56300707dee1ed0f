import { readFileSync } from 'node:fs';
import { rejectionOf } from '../test/rejection-of.ts';
import { checkReading } from './check-reading.ts';
import { decodeMessage, findDecoder, matchTopic } from './decode-message.ts';
import { decoders } from './decoders/index.ts';
import type { Decoded } from './decoders/decoder.ts';

interface Fixture {
  topic: string;
  payload: unknown;
  device: string;
  time?: string;
  times?: string[];
  fields?: Record<string, unknown>;
}

const fixtures = readFileSync(`${__dirname}/../test/fixtures/native.jsonl`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Fixture);
const receivedAt = Date.parse('2026-11-20T00:00:00Z');
const limits = { past: 3650 * 86_400_000, future: 86_400_000 };

function decode(topic: string, payload: string | Buffer): Decoded {
  const decoder = findDecoder(decoders, topic);
  if (decoder === undefined) throw new Error(`no decoder for ${topic}`);
  return decodeMessage(decoder, topic, Buffer.from(payload));
}

describe('payloads as devices publish them', () => {
  it.each(fixtures)('$topic', ({ topic, payload, device, time, times, fields }) => {
    const decoded = decode(topic, JSON.stringify(payload));
    const readings = decoded.drafts.map((draft) => checkReading(draft, receivedAt, limits));
    expect(decoded.device).toBe(device);
    expect(readings.map((reading) => new Date(reading.time).toISOString())).toEqual(
      times ?? [time],
    );
    if (fields !== undefined) expect(readings[0]?.fields).toEqual(fields);
  });
});

describe('a message', () => {
  it('keeps the digits of its numbers', () => {
    const { drafts } = decode('engawa/d/readings', '{"total": 12345678901234567890.123}');
    expect(JSON.stringify(drafts[0]?.fields)).toBe('{"total":12345678901234567890.123}');
  });

  it('may begin with a byte order mark', () => {
    expect(decode('engawa/d/readings', '\ufeff{"x": 1}').drafts).toHaveLength(1);
  });

  it('is from the device that its topic names, whatever its payload says', () => {
    expect(decode('engawa/居間-1/readings', '{"device": "other", "x": 1}').device).toBe('居間-1');
  });

  it.each([
    ['engawa/d/readings', '', 'malformed'],
    ['engawa/d/readings', 'on', 'malformed'],
    ['engawa/d/readings', '{"x": 1', 'malformed'],
    ['engawa/d/readings', '{"x": NaN}', 'malformed'],
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

  it('refuses only the reading that is no object', () => {
    const { drafts } = decode('engawa/d/readings', '[1, null, [], {"x": 1}]');
    expect(drafts.map(({ fields }) => Object.keys(fields).length)).toEqual([0, 0, 0, 1]);
  });
});

describe('a topic filter', () => {
  it.each([
    ['engawa/+/readings', 'engawa/d/readings', ['d']],
    ['engawa/+/readings', 'engawa//readings', ['']],
    ['engawa/+/readings', 'engawa/a/b/readings', undefined],
    ['engawa/+/readings', 'engawa/d/status', undefined],
    ['+/+', 'a/b', ['a', 'b']],
  ])('%s on %s gives %j', (filter, topic, matched) => {
    expect(matchTopic(filter, topic)).toEqual(matched);
  });
});
