import { compareBytes } from '@engawa/keys';
import { readingPartitions } from '@engawa/model';
import pMap from 'p-map';
import { maxConcurrentQueries } from '../limits.ts';
import { hasAdvanced, mergeBlocks, startOf } from './merge-blocks.ts';
import { directionOf, ShardReadings } from './shard-readings.ts';
import type { RequestBudget } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Overlay } from '../corrections/overlay.ts';
import type { DevicePeriod } from '../memberships/membership-store.ts';
import type { TimeRange } from '../time-range.ts';
import type { PageRequest, ReadingPage } from './merge-blocks.ts';

/** A device, and the part of the range to read of it: one or several stays. */
export interface DeviceSlice {
  device: Device;
  /** The corrections to apply. */
  overlay: Overlay;
  from: number;
  to: number;
  /** By default the whole part. */
  stays?: readonly TimeRange[] | undefined;
}

export interface PageReaderOptions {
  table: Pick<Table, 'query'>;
  request: PageRequest;
  slices: readonly DeviceSlice[];
  /** Called with devices that have longer blocks than their item says. */
  onLongerBlock: (device: string) => void;
  budget: Pick<RequestBudget, 'charge' | 'isSpent' | 'maxValues'>;
  signal: AbortSignal;
  /** Epoch milliseconds. */
  now: number;
}

/** Fetches blocks until the merged readings fill the page, or the budget is spent and the page has advanced. A
 * page of large readings has fewer of them. */
export async function readPage(options: PageReaderOptions): Promise<ReadingPage> {
  const { request, budget } = options;
  const start = startOf(request).time * directionOf(request.order);
  let shards = options.slices.flatMap((slice) =>
    shardReadingsOf(options, slice, slice.device.span * 1000),
  );
  for (;;) {
    const { page, missing, short } = mergeBlocks(request, shards);
    if (short.length === 0) return withRetention(page, shards);
    const values = shards.reduce((sum, shard) => sum + shard.values, 0);
    const isSpent = budget.isSpent || values >= budget.maxValues;
    if (isSpent && hasAdvanced(request, page)) return withRetention(page, shards);
    // A page that has not advanced would be requested again for ever, so it continues over budget:
    // at most for the blocks of one span.
    const wanted = isSpent ? short.filter(({ watermark }) => watermark <= start) : short;
    const next = wanted
      .toSorted((left, right) => left.watermark - right.watermark)
      .slice(0, maxConcurrentQueries);
    const share = shareOf(missing, short.length);
    await Promise.all(next.map((shard) => fetchMore(options, shard, share)));
    shards = withWidenedSpans(options, shards);
  }
}

function withRetention(page: ReadingPage, shards: readonly ShardReadings[]): ReadingPage {
  const retention = shards.flatMap(({ retention = [] }) => retention);
  return retention.length === 0 ? page : { ...page, retention: Math.min(...retention) };
}

/** The periods that can have readings on a page that begins at this position. */
export function periodsFromPosition(
  request: PageRequest,
  periods: readonly DevicePeriod[],
): DevicePeriod[] {
  return periods.filter((period) => {
    const begin = beginOf(request, period);
    return begin >= period.from && begin < period.to;
  });
}

/** Readings to request of each shard. A quarter more, since shards do not contribute evenly. */
function shareOf(missing: number, shards: number): number {
  const share = Math.ceil(missing / shards);
  return shards === 1 ? share : share + Math.ceil(share / 4);
}

function shardReadingsOf(
  { request, now }: PageReaderOptions,
  { device, overlay, from, to, stays }: DeviceSlice,
  span: number,
): ShardReadings[] {
  const { order, fields } = request;
  const begin = beginOf(request, { device: device.id, from, to });
  const last = order === 'asc' ? to + span : begin + 1 + span;
  return readingPartitions(device, last).map((partition, shard) => {
    const shardRequest = { device: device.id, from, to, stays, order, span, begin, fields, now };
    return new ShardReadings({ ...shardRequest, partition, isFirst: shard === 0, overlay });
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
  shard: ShardReadings,
  readings: number,
): Promise<void> {
  const page = await table.query({ ...shard.request(readings), signal });
  budget.charge(page.units);
  shard.add(page);
}

/**
 * Starts again with devices that have longer blocks than was known: a block that ends so much later may also be in a
 * shard that was not read.
 */
function withWidenedSpans(
  options: PageReaderOptions,
  shards: readonly ShardReadings[],
): ShardReadings[] {
  const spans = new Map<string, number>();
  for (const {
    longest,
    options: { device, span },
  } of shards) {
    if (longest > (spans.get(device) ?? span)) spans.set(device, longest);
  }
  if (spans.size === 0) return [...shards];
  for (const device of spans.keys()) options.onLongerBlock(device);
  const widened = options.slices.flatMap((slice) => {
    const span = spans.get(slice.device.id);
    return span === undefined ? [] : shardReadingsOf(options, slice, span);
  });
  return [...shards.filter((shard) => !spans.has(shard.options.device)), ...widened];
}

/** Stays with a shorter time between them share their reads: a block of readings may be as long. */
const maxGapMs = 3_600_000;

/** The slices of devices with these periods, reading each device once; omits deleted devices. */
export async function slicesOf<Found extends Pick<DeviceSlice, 'device' | 'overlay'>>(
  periods: readonly DevicePeriod[],
  find: (id: string, periods: readonly TimeRange[]) => Promise<Found | undefined>,
): Promise<(DeviceSlice & Found)[]> {
  const slices = await pMap(
    Map.groupBy(periods, ({ device }) => device),
    async ([id, own]) => {
      const found = await find(id, own);
      return found === undefined ? [] : runsOf(own).map((run) => ({ ...run, ...found }));
    },
    { concurrency: maxConcurrentQueries },
  );
  return slices.flat();
}

/** Joins the periods of a device, which are in order of time, up to the gap. */
function runsOf(periods: readonly TimeRange[]): (TimeRange & Pick<DeviceSlice, 'stays'>)[] {
  const runs: { from: number; to: number; stays: TimeRange[] }[] = [];
  for (const stay of periods) {
    const run = runs.at(-1);
    if (run === undefined || stay.from - run.to >= maxGapMs) {
      runs.push({ from: stay.from, to: stay.to, stays: [stay] });
    } else {
      run.to = stay.to;
      run.stays.push(stay);
    }
  }
  return runs;
}
