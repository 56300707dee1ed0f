import { compareBytes, shardsToRead } from '@engawa/keys';
import { inTurns } from '../in-turns.ts';
import { hasAdvanced, mergeBlocks, startOf } from './merge-blocks.ts';
import { directionOf, Track } from './track.ts';
import type { Budget } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Corrections } from '../corrections/corrections.ts';
import type { DevicePeriod } from '../membership-store.ts';
import type { PageQuestion, ReadingPage } from './merge-blocks.ts';

/** A device, and the part of the range in which its readings are wanted. */
export interface Stay {
  device: Device;
  corrections: Corrections;
  from: number;
  to: number;
}

export interface PageReaderOptions {
  table: Pick<Table, 'query'>;
  question: PageQuestion;
  stays: readonly Stay[];
  /** Told of devices whose blocks are longer than their item says. */
  onLongerBlock: (device: string) => void;
  budget: Budget;
  signal: AbortSignal;
  /** Epoch milliseconds. */
  now: number;
}

/** Queries under way at the same time, for one page. */
export const queriesAtOnce = 16;

/** Reads the tracks until their merged readings fill the page, or the budget is spent and the page has advanced. */
export async function readPage(options: PageReaderOptions): Promise<ReadingPage> {
  const { question, budget } = options;
  const start = startOf(question).time * directionOf(question.order);
  let tracks = options.stays.flatMap((stay) => tracksOf(options, stay, stay.device.span * 1000));
  for (;;) {
    const { page, missing, short } = mergeBlocks(question, tracks);
    if (short.length === 0) return page;
    const isSpent = budget.isSpent;
    if (isSpent && hasAdvanced(question, page)) return page;
    // A page that has not advanced would be asked for again and again, so it has the Queries that it takes: at most those
    // of the blocks of one span.
    const wanted = isSpent ? short.filter(({ watermark: reach }) => reach <= start) : short;
    const next = wanted
      .toSorted((left, right) => left.watermark - right.watermark)
      .slice(0, queriesAtOnce);
    const share = shareOf(missing, short.length);
    await Promise.all(next.map((track) => fetchMore(options, track, share)));
    tracks = withoutSurprises(options, tracks);
  }
}

/** Those of the periods that a page which begins with this position can hold readings of. */
export function fromStartOn(
  question: PageQuestion,
  periods: readonly DevicePeriod[],
): DevicePeriod[] {
  return periods.filter((period) => {
    const begin = beginOf(question, period);
    return begin >= period.from && begin < period.to;
  });
}

/** Of devices that pass their blocks on at the same pace one Query each is enough; some more for those that do not. */
function shareOf(missing: number, tracks: number): number {
  const share = Math.ceil(missing / tracks);
  return tracks === 1 ? share : share + Math.ceil(share / 4);
}

function tracksOf(
  { question, now }: PageReaderOptions,
  { device, corrections, from, to }: Stay,
  span: number,
): Track[] {
  const { order, fields } = question;
  const begin = beginOf(question, { device: device.id, from, to });
  const last = order === 'asc' ? to + span : begin + 1 + span;
  return Array.from({ length: shardsToRead(device.shards ?? [], last) }, (_, shard) => {
    const asked = { device: device.id, from, to, order, span, begin, fields, now };
    return new Track({ ...asked, shard, overlay: corrections.shown });
  });
}

/** Of a device that comes before the position's in order, the readings of that moment have been given. */
function beginOf(question: PageQuestion, { device, from, to }: DevicePeriod): number {
  const { time, device: given } = startOf(question);
  const sign = directionOf(question.order);
  const passed = given !== undefined && compareBytes(device, given) * sign < 0;
  const begin = passed ? time + sign : time;
  return question.order === 'asc' ? Math.max(from, begin) : Math.min(to - 1, begin);
}

async function fetchMore(
  { table, budget, signal }: PageReaderOptions,
  track: Track,
  readings: number,
): Promise<void> {
  const page = await table.query({ ...track.question(readings), signal });
  budget.charge(page.units);
  track.add(page);
}

/**
 * The tracks of devices that turned out to have longer blocks than was known, from their beginning on: a block that ends so
 * much later may also be in a shard that there was no need to ask.
 */
function withoutSurprises(options: PageReaderOptions, tracks: readonly Track[]): Track[] {
  const spans = new Map<string, number>();
  for (const { longest, options: track } of tracks) {
    const known = spans.get(track.device) ?? track.span;
    if (longest > known) spans.set(track.device, longest);
  }
  if (spans.size === 0) return [...tracks];
  for (const device of spans.keys()) options.onLongerBlock(device);
  const widened = options.stays.flatMap((stay) => {
    const span = spans.get(stay.device.id);
    return span === undefined ? [] : tracksOf(options, stay, span);
  });
  return [...tracks.filter((track) => !spans.has(track.options.device)), ...widened];
}

/** The devices of the periods, each asked for once; periods of devices that are not there any more are left out. */
export async function staysOf(
  periods: readonly DevicePeriod[],
  find: (id: string) => Promise<Pick<Stay, 'device' | 'corrections'> | undefined>,
): Promise<Stay[]> {
  const ids = [...new Set(periods.map(({ device }) => device))];
  const found = await inTurns(ids, queriesAtOnce, find);
  const devices = new Map(ids.map((id, index) => [id, found[index]]));
  return periods.flatMap((period) => {
    const device = devices.get(period.device);
    return device === undefined ? [] : [{ ...period, ...device }];
  });
}
