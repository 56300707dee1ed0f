import type { PlainValue, BucketRange } from './oracle-increase.ts';

export const longestHold = 86_400_000;

/** Values of a device, and when they count. */
export interface HeldSeries {
  stretch: BucketRange;
  /** In order of time. */
  values: readonly PlainValue[];
}

/** The last values of devices before the end of a bucket: their mean, weighted by the time of each device in it. */
export function keptOf(all: readonly HeldSeries[]): { area: bigint; time: number } {
  let [area, time] = [0n, 0];
  for (const { stretch, values } of all) {
    const last = values.findLast((value) => value.time < stretch.to);
    if (last === undefined || stretch.from >= stretch.to) continue;
    area += last.value * BigInt(stretch.to - stretch.from);
    time += stretch.to - stretch.from;
  }
  return { area, time };
}

/** Each value times the milliseconds for which it held, and all of these, over several devices. */
export function heldOf(all: readonly HeldSeries[]): { area: bigint; time: number } {
  let [area, time] = [0n, 0];
  for (const { stretch, values } of all) {
    for (const [index, value] of values.entries()) {
      const end = values[index + 1]?.time ?? Infinity;
      const until = Math.min(end, value.time + longestHold, stretch.to);
      const held = Math.max(0, until - Math.max(value.time, stretch.from));
      area += value.value * BigInt(held);
      time += held;
    }
  }
  return { area, time };
}
