import { readFileSync } from 'node:fs';
import { decode, newDecoders, readingsOf, receivedAt } from '../../test/decoding.ts';
import { findDecoder } from '../intake/decode-message.ts';
import type { Reading } from '@engawa/model';
import type { Decoder } from './decoder.ts';

interface Fixture {
  decoder: string;
  topic: string;
  payload?: unknown;
  payloadText?: string;
  payloadHex?: string;
  timeZone?: string;
  /** Nothing in the message is a reading. */
  ignored?: true;
  device?: string;
  time?: string;
  times?: string[];
  /** Among the fields of the readings. */
  fields?: Record<string, unknown>;
  /** The same for numbers that JSON.parse would round. */
  digits?: Record<string, string>;
  /** Names that no field of the reading may have. */
  absent?: string[];
}

const fixtures = ['devices', 'more-devices'].flatMap((file) =>
  readFileSync(`${__dirname}/../../test/fixtures/${file}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Fixture),
);

const byZone = new Map<string, Decoder[]>();

function decodersIn(timeZone = 'UTC'): Decoder[] {
  const decoders = byZone.get(timeZone) ?? newDecoders(undefined, timeZone);
  byZone.set(timeZone, decoders);
  return decoders;
}

function payloadOf({ payload, payloadText, payloadHex }: Fixture): string | Uint8Array {
  if (payloadHex !== undefined) return Buffer.from(payloadHex, 'hex');
  return payloadText ?? JSON.stringify(payload);
}

/** The first value of each field. */
function firstOfEach(readings: readonly Reading[]): Reading['fields'] {
  return Object.fromEntries(readings.toReversed().flatMap(({ fields }) => Object.entries(fields)));
}

describe('payloads as devices publish them', () => {
  // In order, with the same decoders: a birth comes before its data.
  it.each(fixtures)('$decoder: $topic', (fixture) => {
    const { decoder, topic, device, time, times, fields = {}, digits = {}, absent = [] } = fixture;
    const decoders = decodersIn(fixture.timeZone);
    expect(findDecoder(decoders, topic)?.name).toBe(decoder);
    const decoded = decode(decoders, topic, payloadOf(fixture));
    if (fixture.ignored) {
      expect(decoded.drafts).toEqual([]);
      return;
    }
    const readings = readingsOf(decoded);
    expect(decoded.device).toBe(device);
    expect(readings.map((reading) => new Date(reading.time).toISOString())).toEqual(
      times ?? [time ?? new Date(receivedAt).toISOString()],
    );
    const found = firstOfEach(readings);
    expect(found).toEqual(expect.objectContaining(fields));
    for (const [name, number] of Object.entries(digits)) {
      expect(String(found[name])).toBe(number);
      expect(typeof found[name]).toBe('object');
    }
    for (const name of absent) expect(Object.keys(found)).not.toContain(name);
  });
});
