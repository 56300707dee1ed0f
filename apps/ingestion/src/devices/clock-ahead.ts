import { seenIntervalMs, tolerableAheadMs } from '@engawa/model';
import { clockSkewMs } from './known-device.ts';
import type { ClockAhead } from '@engawa/model';
import type { KnownDevice } from './known-device.ts';

/** Earlier and later readings ahead of their receipt together. */
export function mergeAhead(
  earlier: ClockAhead | undefined,
  later: ClockAhead | undefined,
): ClockAhead | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  return { ...later, readings: earlier.readings + later.readings };
}

/**
 * When the device was last seen, if its item must be updated: once an hour, and at once when its clock turns out to be
 * ahead, or less ahead than noted, since query finds the latest readings by the note.
 * @param sentAt when it sent its last message, in epoch milliseconds, as all times
 */
export function dueSeenAt(device: KnownDevice, sentAt: number, now: number): number | undefined {
  const { lastSeenAt, ahead, notedAheadMs = Infinity } = device;
  // An update that does not move last seen is rejected.
  if (ahead !== undefined && ahead.ms < notedAheadMs - tolerableAheadMs) {
    return Math.max(now, Math.min(lastSeenAt + 1, now + 1));
  }
  const seenAt = Math.min(sentAt, now);
  const isWrong = lastSeenAt > now + clockSkewMs;
  return seenAt < lastSeenAt + seenIntervalMs && !isWrong ? undefined : seenAt;
}

/** What the next update of the device's item has to add; forgets it. */
export function takeAhead(device: KnownDevice): { ahead?: ClockAhead } {
  const { ahead } = device;
  if (ahead === undefined) return {};
  device.ahead = undefined;
  device.notedAheadMs = ahead.ms;
  return { ahead };
}
