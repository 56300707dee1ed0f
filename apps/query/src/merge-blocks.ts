import { createHash } from 'node:crypto';
import { blockReadings, contentOf, newestOf, sortedUnique } from '@engawa/model';
import { isExpired } from './is-expired.ts';
import type { BlockItem, Reading } from '@engawa/model';

/** Times and lengths here are in milliseconds. A reading is in it from `from` on and before `to`. */
export interface TimeRange {
  from: number;
  to: number;
}

/** A place among a device's readings: behind the reading with this digest, or where its moment begins. */
export interface Position {
  time: number;
  digest?: string | undefined;
}

/** Which readings of a device. */
export interface RangeQuestion extends TimeRange {
  order: 'asc' | 'desc';
  limit: number;
  /** Leaves out other fields, and readings that have none of these. */
  fields?: ReadonlySet<string> | undefined;
  /** Where the page begins, if not where the range does. */
  start?: Position | undefined;
  /** No block of the device is longer than this. */
  span: number;
  now: number;
}

export interface ReadingPage {
  readings: Reading[];
  /** Where the next page begins; absent where there is none. */
  next?: Position;
}

/** The blocks that may hold readings of a page: those whose newest reading is in this range. */
export function blocksOf(question: RangeQuestion): TimeRange {
  const { from, to, order, span } = question;
  const { time } = startOf(question);
  return order === 'asc' ? { from: time, to: to + span } : { from, to: time + 1 + span };
}

/**
 * The readings of a page as far as they are certain, each once, those of the same moment in the order of their content.
 * `blocks` are the first of `blocksOf(question)`, in the order asked for; `complete` says that there are no others.
 */
export function mergeBlocks(
  question: RangeQuestion,
  blocks: readonly BlockItem[],
  complete: boolean,
): ReadingPage {
  const { limit, fields, now } = question;
  const horizon = complete ? undefined : horizonOf(question, blocks);
  const certain = certainRange(question, horizon);
  const readings = blocks
    .filter((block) => !isExpired(block, now))
    .flatMap(blockReadings)
    .filter(({ time }) => time >= certain.from && time < certain.to)
    .filter((reading) => fields === undefined || hasAny(reading, fields));
  const ordered = inOrder(question, readings);
  const given = ordered.slice(0, limit);
  const last = given.at(-1);
  const next =
    last !== undefined && ordered.length > limit
      ? { time: last.time, digest: digestOf(last) }
      : horizon;
  return {
    readings: fields === undefined ? given : given.map((reading) => pick(reading, fields)),
    ...(next !== undefined && { next }),
  };
}

/** Whether the next page is another than this one again. */
export function hasAdvanced(question: RangeQuestion, { next }: ReadingPage): boolean {
  const start = startOf(question);
  if (next?.digest !== undefined || next === undefined) return true;
  return question.order === 'asc' ? next.time > start.time : next.time < start.time;
}

function startOf({ start, order, from, to }: RangeQuestion): Position {
  return start ?? { time: order === 'asc' ? from : to - 1 };
}

/**
 * From here on a block that was not fetched may hold readings too. Descending, it ends with or before the last one that
 * was fetched. Ascending, it ends with or behind that one, and begins at most a span before its end.
 */
function horizonOf(question: RangeQuestion, blocks: readonly BlockItem[]): Position {
  const last = blocks.at(-1);
  if (last === undefined) return startOf(question);
  return { time: question.order === 'asc' ? newestOf(last) - question.span : newestOf(last) };
}

/** From the beginning of the page to the horizon. */
function certainRange(question: RangeQuestion, horizon: Position | undefined): TimeRange {
  const { from, to, order } = question;
  const { time } = startOf(question);
  return order === 'asc'
    ? { from: time, to: Math.min(to, horizon?.time ?? Infinity) }
    : { from: Math.max(from, (horizon?.time ?? -Infinity) + 1), to: time + 1 };
}

/** Sorted, each once, and only what comes behind the page's beginning. */
function inOrder(question: RangeQuestion, readings: readonly Reading[]): Reading[] {
  const ordered = sortedUnique(readings);
  if (question.order === 'desc') ordered.reverse();
  const { time, digest } = startOf(question);
  if (digest === undefined) return ordered;
  // Should the reading have expired since, others of its moment may come again; none is left out.
  const index = ordered.findIndex(
    (reading) => reading.time === time && digestOf(reading) === digest,
  );
  return ordered.slice(index + 1);
}

/** 96 bits, however large the reading: a cursor has to be short. */
function digestOf(reading: Reading): string {
  return createHash('sha256').update(contentOf(reading)).digest('base64url').slice(0, 16);
}

function hasAny({ fields }: Reading, names: ReadonlySet<string>): boolean {
  return Object.keys(fields).some((name) => names.has(name));
}

function pick({ time, fields }: Reading, names: ReadonlySet<string>): Reading {
  const kept = Object.entries(fields).filter(([name]) => names.has(name));
  return { time, fields: Object.fromEntries(kept) };
}
