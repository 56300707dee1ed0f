import { createHash } from 'node:crypto';
import { compareBytes } from '@engawa/keys';
import { contentWas } from '../corrections/overlay.ts';
import { directionOf } from './track.ts';
import type { DeviceReading, Order, Track } from './track.ts';

/** Times and lengths here are in milliseconds. A reading is in it from `from` on and before `to`. */
export interface TimeRange {
  from: number;
  to: number;
}

/** A place in the order of time, device and content: behind the reading with this digest, or where its moment begins. */
export interface Position {
  time: number;
  device?: string | undefined;
  digest?: string | undefined;
}

export interface PageQuestion extends TimeRange {
  order: Order;
  limit: number;
  /** Leaves out other fields, and readings that have none of these. */
  fields?: ReadonlySet<string> | undefined;
  /** Where the page begins, if not where the range does. */
  start?: Position | undefined;
}

export interface ReadingPage {
  readings: DeviceReading[];
  /** Where the next page begins; absent where there is none. */
  next?: Position;
}

export interface Merged {
  page: ReadingPage;
  /** How many readings a full page would have more. */
  missing: number;
  /** The tracks that have to be followed further for that. */
  short: Track[];
}

export function startOf({ start, order, from, to }: PageQuestion): Position {
  return start ?? { time: order === 'asc' ? from : to - 1 };
}

/** The readings of a page as far as they are certain, in order, each once. */
export function mergeBlocks(question: PageQuestion, tracks: readonly Track[]): Merged {
  const { order, limit, fields } = question;
  const readings = inOrder(
    question,
    tracks.flatMap((track) => track.readings),
  );
  const reach = tracks.reduce((least, track) => Math.min(least, track.watermark), Infinity);
  const end = readings.findIndex(({ time }) => time * directionOf(order) >= reach);
  const certain = end === -1 ? readings.length : end;
  const given = readings.slice(0, Math.min(limit, certain));
  const next = nextOf(order, certain > limit ? given.at(-1) : undefined, reach);
  return {
    page: {
      readings: fields === undefined ? given : given.map((reading) => pick(reading, fields)),
      ...(next && { next }),
    },
    missing: limit - given.length,
    short: certain >= limit ? [] : shortTracks(question, readings, tracks),
  };
}

/** Whether the next page is another than this one again. */
export function hasAdvanced(question: PageQuestion, { next }: ReadingPage): boolean {
  if (next?.digest !== undefined || next === undefined) return true;
  const sign = directionOf(question.order);
  return next.time * sign > startOf(question).time * sign;
}

function nextOf(
  order: Order,
  last: DeviceReading | undefined,
  reach: number,
): Position | undefined {
  if (last !== undefined) {
    return { time: last.time, device: last.device, digest: digestOf(last) };
  }
  return reach === Infinity ? undefined : { time: reach * directionOf(order) };
}

/**
 * Whatever else there is, the page ends with or before the last of as many readings as it takes. A track that nothing was
 * fetched of is left alone for as long as what is known ends before it begins.
 */
function shortTracks(
  { order, limit }: PageQuestion,
  readings: readonly DeviceReading[],
  tracks: readonly Track[],
): Track[] {
  const latest = readings.at(-1);
  const end = readings[limit - 1];
  const reach = tracks.reduce((least, track) => Math.min(least, track.watermark), Infinity);
  const soFar = Math.max(
    reach,
    latest === undefined ? -Infinity : latest.time * directionOf(order),
  );
  const farthest = end === undefined ? Infinity : end.time * directionOf(order);
  return tracks.filter(
    (track) =>
      !track.isComplete &&
      track.watermark <= farthest &&
      (track.isFetched || track.watermark <= soFar),
  );
}

/** Sorted, each once, and only what comes behind the page's beginning. */
function inOrder(question: PageQuestion, readings: readonly DeviceReading[]): DeviceReading[] {
  const sorted = unique(readings);
  if (question.order === 'desc') sorted.reverse();
  const { time, device, digest } = startOf(question);
  if (device === undefined || digest === undefined) return sorted;
  // Should the reading have expired since, others of its moment may come again; none is left out.
  const index = sorted.findIndex(
    (reading) => reading.time === time && reading.device === device && digestOf(reading) === digest,
  );
  return sorted.slice(index + 1);
}

/** Oldest first, each once: a reading is the same as another if time, device and content, before any correction, are. */
function unique(readings: readonly DeviceReading[]): DeviceReading[] {
  const sorted = readings.toSorted(compare);
  return sorted.filter((reading, index) => {
    const previous = sorted[index - 1];
    return previous === undefined || compare(previous, reading) !== 0;
  });
}

function compare(left: DeviceReading, right: DeviceReading): number {
  if (left.time !== right.time) return left.time - right.time;
  const devices = compareBytes(left.device, right.device);
  if (devices !== 0) return devices;
  const [a, b] = [contentWas(left), contentWas(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** 96 bits, however large the reading: a cursor has to be short. */
function digestOf(reading: DeviceReading): string {
  return createHash('sha256').update(contentWas(reading)).digest('base64url').slice(0, 16);
}

function pick({ device, time, fields }: DeviceReading, names: ReadonlySet<string>): DeviceReading {
  const kept = Object.entries(fields).filter(([name]) => names.has(name));
  return { device, time, fields: Object.fromEntries(kept) };
}
