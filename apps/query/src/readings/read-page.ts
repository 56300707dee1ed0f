import { compareBytes, shardsToRead } from '@engawa/keys';
import pMap from 'p-map';
import { maxConcurrentQueries } from '../limits.ts';
import { hasAdvanced, mergeBlocks, startOf } from './merge-blocks.ts';
import { directionOf, Track } from './track.ts';
import type { RequestBudget } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Corrections } from '../corrections/corrections.ts';
import type { DevicePeriod } from '../memberships/membership-store.ts';
import type { PageRequest, ReadingPage } from './merge-blocks.ts';

/** A device, and the part of the range to read of it. */
export interface DeviceSlice {
  device: Device;
  corrections: Corrections;
  from: number;
  to: number;
}

export interface PageReaderOptions {
  table: Pick<Table, 'query'>;
  request: PageRequest;
  slices: readonly DeviceSlice[];
  /** Called with devices that have longer blocks than their item says. */
  onLongerBlock: (device: string) => void;
  budget: RequestBudget;
  signal: AbortSignal;
  /** Epoch milliseconds. */
  now: number;
}

/** Fetches blocks until the merged readings fill the page, or the budget is spent and the page has advanced. */
export async function readPage(options: PageReaderOptions): Promise<ReadingPage> {
  const { request, budget } = options;
  const start = startOf(request).time * directionOf(request.order);
  let tracks = options.slices.flatMap((slice) =>
    tracksOf(options, slice, slice.device.span * 1000),
  );
  for (;;) {
    const { page, missing, short } = mergeBlocks(request, tracks);
    if (short.length === 0) return page;
    const isSpent = budget.isSpent;
    if (isSpent && hasAdvanced(request, page)) return page;
    // A page that has not advanced would be requested again for ever, so it continues over budget:
    // at most for the blocks of one span.
    const wanted = isSpent ? short.filter(({ watermark: reach }) => reach <= start) : short;
    const next = wanted
      .toSorted((left, right) => left.watermark - right.watermark)
      .slice(0, maxConcurrentQueries);
    const share = shareOf(missing, short.length);
    await Promise.all(next.map((track) => fetchMore(options, track, share)));
    tracks = withoutSurprises(options, tracks);
  }
}

/** The periods that can have readings on a page that begins at this position. */
export function fromStartOn(
  request: PageRequest,
  periods: readonly DevicePeriod[],
): DevicePeriod[] {
  return periods.filter((period) => {
    const begin = beginOf(request, period);
    return begin >= period.from && begin < period.to;
  });
}

/** Readings to request of each track. A quarter more, since tracks do not contribute evenly. */
function shareOf(missing: number, tracks: number): number {
  const share = Math.ceil(missing / tracks);
  return tracks === 1 ? share : share + Math.ceil(share / 4);
}

function tracksOf(
  { request, now }: PageReaderOptions,
  { device, corrections, from, to }: DeviceSlice,
  span: number,
): Track[] {
  const { order, fields } = request;
  const begin = beginOf(request, { device: device.id, from, to });
  const last = order === 'asc' ? to + span : begin + 1 + span;
  return Array.from({ length: shardsToRead(device.shards ?? [], last) }, (_, shard) => {
    const asked = { device: device.id, from, to, order, span, begin, fields, now };
    return new Track({ ...asked, shard, overlay: corrections.shown });
  });
}

/** Devices before the position's device have had their readings of that moment on the page before. */
function beginOf(request: PageRequest, { device, from, to }: DevicePeriod): number {
  const { time, device: given } = startOf(request);
  const sign = directionOf(request.order);
  const passed = given !== undefined && compareBytes(device, given) * sign < 0;
  const begin = passed ? time + sign : time;
  return request.order === 'asc' ? Math.max(from, begin) : Math.min(to - 1, begin);
}

async function fetchMore(
  { table, budget, signal }: PageReaderOptions,
  track: Track,
  readings: number,
): Promise<void> {
  const page = await table.query({ ...track.request(readings), signal });
  budget.charge(page.units);
  track.add(page);
}

/**
 * Restarts the tracks of devices that have longer blocks than was known: a block that ends so much
 * later may also be in a shard that was not read.
 */
function withoutSurprises(options: PageReaderOptions, tracks: readonly Track[]): Track[] {
  const spans = new Map<string, number>();
  for (const { longest, options: track } of tracks) {
    const known = spans.get(track.device) ?? track.span;
    if (longest > known) spans.set(track.device, longest);
  }
  if (spans.size === 0) return [...tracks];
  for (const device of spans.keys()) options.onLongerBlock(device);
  const widened = options.slices.flatMap((slice) => {
    const span = spans.get(slice.device.id);
    return span === undefined ? [] : tracksOf(options, slice, span);
  });
  return [...tracks.filter((track) => !spans.has(track.options.device)), ...widened];
}

/** Adds its device to each period, reading each device once; omits periods of deleted devices. */
export async function slicesOf(
  periods: readonly DevicePeriod[],
  find: (id: string) => Promise<Pick<DeviceSlice, 'device' | 'corrections'> | undefined>,
): Promise<DeviceSlice[]> {
  const ids = [...new Set(periods.map(({ device }) => device))];
  const found = await pMap(ids, find, { concurrency: maxConcurrentQueries });
  const devices = new Map(ids.map((id, index) => [id, found[index]]));
  return periods.flatMap((period) => {
    const device = devices.get(period.device);
    return device === undefined ? [] : [{ ...period, ...device }];
  });
}
