import { Rejection } from '../refusals/rejection.ts';
import { isObject, readPayload } from './payload.ts';
import { deviceOf } from './topic-filter.ts';
import type { DecoderKind, Draft } from './decoder.ts';
import type { MatchedTopic } from './topic-filter.ts';

/** Engawa's own format: `engawa/<device>/readings` with an object or an array of objects. */
export const native: DecoderKind = {
  name: 'native',
  defaultFilters: ['engawa/+/readings'],
  deviceOf: nativeDevice,
  create: () => (source) => {
    const payload = readPayload(source.payload);
    const device = nativeDevice(source);
    return { device, isBatched: Array.isArray(payload), drafts: nativeDrafts(payload) };
  },
};

function nativeDevice(topic: MatchedTopic): string {
  return deviceOf(topic, topic.levels.at(-1) === 'readings' ? 1 : 0);
}

/** Names of the time, in order of precedence. The first with a time is that of the reading; the others are fields. */
const timeNames = ['ts', 'time', 'timestamp'] as const;

/**
 * The time of a reading is optional; every other key is a field.
 * @throws Rejection when the payload contains no reading
 */
export function nativeDrafts(payload: unknown): Draft[] {
  const readings: unknown[] = Array.isArray(payload)
    ? payload
    : (itemsOfPage(payload) ?? [payload]);
  if (readings.length === 0) throw new Rejection('array-empty');
  return readings.map(toDraft);
}

/** A value that is not an object becomes a draft with a rejection, so that only this reading is refused. */
function toDraft(reading: unknown): Draft {
  if (!isObject(reading)) return notObject(reading);
  if (isQueryOutput(reading))
    return { time: reading.time, timeName: 'time', fields: reading.fields };
  const timeName = timeNames.find((name) => isTime(name, reading));
  if (timeName === undefined) return { time: undefined, fields: reading };
  return { time: reading[timeName], timeName, fields: without(timeName, reading) };
}

/** A time of day has no date: it is a field like others. So is an empty text, of a device whose clock is not set. */
const timeOfDay = /^(\d{1,2}:\d\d(:\d\d)?)?$/;
const maxTimeOfDayLength = 8;

function isTime(name: (typeof timeNames)[number], reading: Record<string, unknown>): boolean {
  if (!Object.hasOwn(reading, name)) return false;
  const value = reading[name];
  if (name === 'ts' || typeof value !== 'string' || value.length > maxTimeOfDayLength) return true;
  return !timeOfDay.test(value);
}

/** Shared, because a message of 250 KB may contain 130,000 numbers. */
const drafts = new Map<string, Draft>();

function notObject(value: unknown): Draft {
  const attribute = descriptionOf(value);
  const known = drafts.get(attribute);
  if (known !== undefined) return known;
  const rejection = new Rejection('reading-not-object', { attribute });
  const draft: Draft = Object.freeze({ time: undefined, fields: Object.freeze({}), rejection });
  drafts.set(attribute, draft);
  return draft;
}

function descriptionOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  // Such as a number of more digits than a double has.
  return typeof value === 'object' ? 'a single value' : `a single ${typeof value}`;
}

/** A rest pattern with a computed name takes several times as long. */
function without(omitted: string, reading: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(reading);
  // An assignment would set the prototype; the check refuses this name.
  if (names.includes('__proto__')) {
    return Object.fromEntries(Object.entries(reading).filter(([name]) => name !== omitted));
  }
  const fields: Record<string, unknown> = {};
  for (const name of names) if (name !== omitted) fields[name] = reading[name];
  return fields;
}

interface QueryOutput {
  time: unknown;
  fields: Record<string, unknown>;
}

/** Keys that may accompany `time` and `fields`: the device, and the cursor of an export (`resumable=true`). */
const besideReading = new Set(['time', 'fields', 'device', 'cursor']);

/**
 * Whether the value is a reading as the query service returns it (`deviceReadingOutput`): `time`, `fields`, optionally
 * `device` or `cursor`, and nothing else. The topic or the request has already named the device.
 */
function isQueryOutput(
  reading: Record<string, unknown>,
): reading is Record<string, unknown> & QueryOutput {
  const hasBoth = Object.hasOwn(reading, 'time') && isObject(reading['fields']);
  return hasBoth && Object.keys(reading).every((name) => besideReading.has(name));
}

/** The readings of a page as the query service returns it: `items` with such readings, optionally a `cursor`. */
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
