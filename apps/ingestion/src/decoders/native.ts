import { Rejection } from '../rejection.ts';
import { isObject, readPayload } from './payload.ts';
import { deviceOf } from './topic-filter.ts';
import type { DecoderKind, Draft } from './decoder.ts';

/** Engawa's own format: `engawa/<device>/readings` with an object or an array of objects. */
export const native: DecoderKind = {
  name: 'native',
  defaultFilters: ['engawa/+/readings'],
  create: () => (source) => {
    const payload = readPayload(source.payload);
    const device = deviceOf(source, source.levels.at(-1) === 'readings' ? 1 : 0);
    return { device, gathered: Array.isArray(payload), drafts: nativeDrafts(payload) };
  },
};

/**
 * `ts` is the time, and may be left out; every other key is a field.
 * @throws Rejection when there is no reading at all
 */
export function nativeDrafts(payload: unknown): Draft[] {
  const readings: unknown[] = Array.isArray(payload) ? payload : [payload];
  if (readings.length === 0) throw new Rejection('malformed', 'the array has no reading in it');
  return readings.map(toDraft);
}

/** What is not an object becomes a draft without fields, so that only this reading is refused. */
function toDraft(reading: unknown): Draft {
  if (!isObject(reading)) return { time: undefined, fields: {} };
  const { ts, ...fields } = reading;
  return { time: ts, fields };
}
