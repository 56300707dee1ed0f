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

/** What the time may be called. The first of them that a reading has is its time; the others are fields. */
const timeNames = ['ts', 'time', 'timestamp'] as const;

/**
 * Of each reading its time, which may be left out; every other key is a field.
 * @throws Rejection when there is no reading at all
 */
export function nativeDrafts(payload: unknown): Draft[] {
  const readings: unknown[] = Array.isArray(payload) ? payload : [payload];
  if (readings.length === 0) throw new Rejection('malformed', 'the array has no reading in it');
  return readings.map(toDraft);
}

/** One for all, since a message of 250 KB holds 130,000 numbers. */
const noReading: Draft = Object.freeze({ time: undefined, fields: Object.freeze({}) });

/** What is not an object becomes a draft without fields, so that only this reading is refused. */
function toDraft(reading: unknown): Draft {
  if (!isObject(reading)) return noReading;
  if (isQueryOutput(reading))
    return { time: reading.time, timeName: 'time', fields: reading.fields };
  const timeName = timeNames.find((name) => Object.hasOwn(reading, name));
  if (timeName === undefined) return { time: undefined, fields: reading };
  const { [timeName]: time, ...fields } = reading;
  return { time, timeName, fields };
}

interface QueryOutput {
  time: unknown;
  fields: Record<string, unknown>;
}

/**
 * Whether it is a reading as the query service answers it (`shownDeviceReading`): `time`, `fields` and sometimes `device`,
 * and nothing else. The device is an address there, not a field, and the topic or the request has said which device it is.
 */
function isQueryOutput(
  reading: Record<string, unknown>,
): reading is Record<string, unknown> & QueryOutput {
  const names = Object.keys(reading).filter((name) => name !== 'device');
  const hasBoth = Object.hasOwn(reading, 'time') && isObject(reading['fields']);
  return hasBoth && names.length === 2;
}
