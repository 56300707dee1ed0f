import { checkReading } from '../src/intake/check-reading.ts';
import { decodeMessage, nextRoute, routeOf } from '../src/intake/decode-message.ts';
import { chooseDecoders, createDecoders, decoderKinds } from '../src/decoders/index.ts';
import type { Reading } from '@engawa/model';
import type { Decoded, Decoder } from '../src/decoders/decoder.ts';

export const receivedAt = Date.parse('2026-11-20T00:00:00Z');
const limits = { maxAgeMs: 3650 * 86_400_000, maxAheadMs: 86_400_000 };

const all = decoderKinds.map(({ name }) => name).join(',');

export function newDecoders(
  choice = all,
  timeZone = 'UTC',
  tasmotaMainSensors: readonly string[] = ['AM2301', 'DHT11'],
): Decoder[] {
  return createDecoders(chooseDecoders(choice), {
    deviceIds: 'distinct',
    timeZone,
    tasmotaMainSensors,
  });
}

/** Of the first decoder that recognizes the payload. */
export function decode(
  decoders: readonly Decoder[],
  topic: string,
  payload: string | Uint8Array,
): Decoded {
  let decoded: Decoded | undefined;
  let route = routeOf(decoders, topic);
  while (route !== undefined) {
    decoded = atOnce(decodeMessage(route, Buffer.from(payload), { receivedAt }));
    route = decoded.isUnproven === true ? nextRoute(decoders, route) : undefined;
  }
  if (decoded === undefined) throw new Error(`no decoder for ${topic}`);
  return decoded;
}

/** Without a table no decoder has to wait. */
export function atOnce(decoded: Decoded | Promise<Decoded>): Decoded {
  if (decoded instanceof Promise) throw new Error('not decoded at once');
  return decoded;
}

export function readingsOf({ drafts }: Decoded): Reading[] {
  return drafts.flatMap((draft) => checkReading(draft, receivedAt, limits) ?? []);
}

/** The fields of the only reading in the message. */
export function fieldsOf(
  decoders: readonly Decoder[],
  topic: string,
  payload: unknown,
): Reading['fields'] {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const [reading, ...others] = readingsOf(decode(decoders, topic, text));
  if (reading === undefined || others.length > 0) throw new Error('not one reading');
  return reading.fields;
}
