import { Rejection } from '../refusals/rejection.ts';
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
  const readings: unknown[] = Array.isArray(payload)
    ? payload
    : (itemsOfPage(payload) ?? [payload]);
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

/** What may stand beside them: whose the reading is, which is an address, and where an export goes on (`resumable=true`). */
const besideReading = new Set(['time', 'fields', 'device', 'cursor']);

/**
 * Whether it is a reading as the query service answers it (`shownDeviceReading`): `time`, `fields`, sometimes `device` or
 * `cursor`, and nothing else. The topic or the request has said which device it is.
 */
function isQueryOutput(
  reading: Record<string, unknown>,
): reading is Record<string, unknown> & QueryOutput {
  const hasBoth = Object.hasOwn(reading, 'time') && isObject(reading['fields']);
  return hasBoth && Object.keys(reading).every((name) => besideReading.has(name));
}

/** The readings of a page as the query service answers it: `items` of nothing else, and perhaps a `cursor`. */
export function itemsOfPage(payload: unknown): unknown[] | undefined {
  if (!isObject(payload)) return undefined;
  const { items, ...others } = payload;
  if (
    !Array.isArray(items) ||
    items.length === 0 ||
    Object.keys(others).some((name) => name !== 'cursor')
  ) {
    return undefined;
  }
  return items.every((item) => isObject(item) && isQueryOutput(item)) ? items : undefined;
}
