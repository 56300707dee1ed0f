import { invariant } from '@engawa/errors';
import { startOf } from './merge-blocks.ts';
import type { CorrectionsRequest } from '../corrections/read-corrections.ts';
import type { TimeRange } from '../time-range.ts';
import type { PageRequest, Position, ReadingPage } from './merge-blocks.ts';
import type { DeviceSlice } from './read-page.ts';

/** A slice, and the times for which the corrections of its device are known. */
export interface CorrectedSlice extends DeviceSlice {
  known: TimeRange;
}

/** Corrections that a page reads at least, before it ends earlier. */
const enoughCorrections = 100;

/** The corrections that a page may need of a device. @param periods in order of time; at least one */
export function correctionsOfPage(
  { limit, ...request }: PageRequest,
  periods: readonly TimeRange[],
): CorrectionsRequest {
  const { order } = request;
  const begin = startOf({ ...request, limit }).time;
  const { from } = invariant(periods[0], 'a page has at least one period');
  const { to } = invariant(periods.at(-1), 'a page has at least one period');
  const enough = Math.max(limit, enoughCorrections);
  if (order === 'asc') {
    const first = Math.max(from, begin);
    return { from: first, to, order, needed: first + 1, enough };
  }
  const last = Math.min(to - 1, begin);
  return { from, to: last + 1, order, needed: last, enough };
}

/**
 * The slices up to the time to which the corrections of all devices are known, and the beginning of the next page if
 * there is more.
 */
export function knownSlices(
  { order }: Pick<PageRequest, 'order'>,
  slices: readonly CorrectedSlice[],
): { slices: readonly DeviceSlice[]; next?: Position } {
  if (order === 'asc') {
    const ends = slices.filter(({ to, known }) => known.to < to).map(({ known }) => known.to);
    if (ends.length === 0) return { slices };
    const end = Math.min(...ends);
    return { slices: within(slices, { from: -Infinity, to: end }), next: { time: end } };
  }
  const starts = slices
    .filter(({ from, known }) => known.from > from)
    .map(({ known }) => known.from);
  if (starts.length === 0) return { slices };
  const start = Math.max(...starts);
  return { slices: within(slices, { from: start, to: Infinity }), next: { time: start - 1 } };
}

/** The page, which goes on at `next` where it has no other end. */
export function continuedAt(page: ReadingPage, next: Position | undefined): ReadingPage {
  return page.next !== undefined || next === undefined ? page : { ...page, next };
}

function within(slices: readonly DeviceSlice[], { from, to }: TimeRange): DeviceSlice[] {
  return slices
    .map((slice) => ({ ...slice, from: Math.max(slice.from, from), to: Math.min(slice.to, to) }))
    .filter((slice) => slice.from < slice.to);
}
