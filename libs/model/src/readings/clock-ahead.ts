import type { Reading } from './reading.ts';

/** A reading whose time is later than its receipt by more than this, in milliseconds, shows a wrong clock. */
export const tolerableAheadMs = 60_000;

/** Epoch milliseconds: the time of a reading, or of its receipt where it is ahead of it. */
export function effectiveTime({ time, receivedAt }: Reading): number {
  return receivedAt ?? time;
}

/** The order of the latest readings: by effective time, then by the order of receipt. */
export function compareLatest(left: Reading, right: Reading): number {
  const difference = effectiveTime(left) - effectiveTime(right);
  if (difference !== 0) return difference;
  const [a = '', b = ''] = [left.order, right.order];
  if (a !== b) return a < b ? -1 : 1;
  return left.time - right.time;
}
