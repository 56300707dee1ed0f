import { createHash } from 'node:crypto';
import { compareBytes } from '@engawa/keys';
import { compareReceipt } from '@engawa/model';
import { identityWas } from '../corrections/overlay.ts';
import { directionOf } from './shard-readings.ts';
import type { TimeRange } from '../time-range.ts';
import type { DeviceReading, NameFilter, Order, ShardReadings } from './shard-readings.ts';

/**
 * A position in the order of time, device and receipt: after the reading with this digest, or at
 * the beginning of `time`.
 */
export interface Position {
  time: number;
  device?: string | undefined;
  digest?: string | undefined;
}

export interface PageRequest extends TimeRange {
  order: Order;
  limit: number;
  /** Omits other fields, and readings without any of these. */
  fields?: NameFilter | undefined;
  /** The beginning of the page; by default the beginning of the range. */
  start?: Position | undefined;
}

export interface ReadingPage {
  readings: DeviceReading[];
  /** The beginning of the next page; absent on the last page. */
  next?: Position;
  /** The beginning of the next page if this one ends after fewer readings, at least one. */
  startAfter: (count: number) => Position | undefined;
  /** Minimum retention of the read blocks, in milliseconds; Infinity without expiry, absent without blocks. */
  retention?: number;
}

export interface MergeResult {
  page: ReadingPage;
  /** Number of readings that the page lacks. */
  missing: number;
  /** The shards to fetch more blocks of. */
  short: ShardReadings[];
}

export function startOf({ start, order, from, to }: PageRequest): Position {
  return start ?? { time: order === 'asc' ? from : to - 1 };
}

/** The readings of a page that are certain, in order, without duplicates. */
export function mergeBlocks(request: PageRequest, shards: readonly ShardReadings[]): MergeResult {
  const { order, limit, fields } = request;
  const readings = inOrder(
    request,
    shards.flatMap((shard) => shard.readings),
  );
  const reach = shards.reduce((least, shard) => Math.min(least, shard.watermark), Infinity);
  const end = readings.findIndex(({ time }) => time * directionOf(order) >= reach);
  const certain = end === -1 ? readings.length : end;
  const given = readings.slice(0, Math.min(limit, certain));
  const next = nextOf(order, certain > limit ? given.at(-1) : undefined, reach);
  return {
    page: {
      readings: fields === undefined ? given : given.map((reading) => pick(reading, fields)),
      ...(next && { next }),
      // Of the whole reading: without the other fields, it has another digest.
      startAfter: (count) => nextOf(order, given[count - 1], reach),
    },
    missing: limit - given.length,
    short: certain >= limit ? [] : shortShards(request, readings, shards),
  };
}

/** Whether the next page begins after this one. */
export function hasAdvanced(request: PageRequest, { next }: ReadingPage): boolean {
  if (next?.digest !== undefined || next === undefined) return true;
  const sign = directionOf(request.order);
  return next.time * sign > startOf(request).time * sign;
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
 * The shards that may have readings of this page: it ends at or before its `limit`th known reading.
 * A shard is first fetched when the known readings reach its beginning.
 */
function shortShards(
  { order, limit }: PageRequest,
  readings: readonly DeviceReading[],
  shards: readonly ShardReadings[],
): ShardReadings[] {
  const latest = readings.at(-1);
  const end = readings[limit - 1];
  const reach = shards.reduce((least, shard) => Math.min(least, shard.watermark), Infinity);
  const soFar = Math.max(
    reach,
    latest === undefined ? -Infinity : latest.time * directionOf(order),
  );
  const farthest = end === undefined ? Infinity : end.time * directionOf(order);
  return shards.filter(
    (shard) =>
      !shard.isComplete &&
      shard.watermark <= farthest &&
      (shard.isFetched || shard.watermark <= soFar),
  );
}

/** Sorted, without duplicates, and only readings after the page's beginning. */
function inOrder(request: PageRequest, readings: readonly DeviceReading[]): DeviceReading[] {
  const sorted = unique(readings);
  if (request.order === 'desc') sorted.reverse();
  const { time, device, digest } = startOf(request);
  if (device === undefined || digest === undefined) return sorted;
  // If that reading has expired since, others of its moment are repeated; none is omitted.
  const index = sorted.findIndex(
    (reading) => reading.time === time && reading.device === device && digestOf(reading) === digest,
  );
  return sorted.slice(index + 1);
}

/**
 * In the order of time, device and receipt. Of readings with equal time, device and identity before any correction, the
 * last one stays.
 */
function unique(readings: readonly DeviceReading[]): DeviceReading[] {
  const sorted = readings.toSorted(compare);
  const kept: DeviceReading[] = [];
  let found = new Set<string>();
  for (let index = sorted.length - 1; index >= 0; index--) {
    const [reading, later] = [sorted[index], sorted[index + 1]];
    if (reading === undefined) continue;
    const isFirst = later === undefined || !isOfMoment(reading, later);
    if (isFirst) found = new Set();
    const before = sorted[index - 1];
    // Most readings are alone in their moment: their identity is not computed.
    if (!isFirst || (before !== undefined && isOfMoment(reading, before))) {
      const identity = identityWas(reading);
      if (found.has(identity)) continue;
      found.add(identity);
    }
    kept.push(reading);
  }
  return kept.reverse();
}

function isOfMoment(left: DeviceReading, right: DeviceReading): boolean {
  return left.time === right.time && left.device === right.device;
}

function compare(left: DeviceReading, right: DeviceReading): number {
  if (left.time !== right.time) return left.time - right.time;
  return compareBytes(left.device, right.device) || compareReceipt(left, right);
}

/** 96 bits, so that a cursor is short. */
function digestOf(reading: DeviceReading): string {
  return createHash('sha256').update(identityWas(reading)).digest('base64url').slice(0, 16);
}

function pick(reading: DeviceReading, names: NameFilter): DeviceReading {
  const kept = Object.entries(reading.fields).filter(([name]) => names.has(name));
  return { ...reading, fields: Object.fromEntries(kept) };
}
