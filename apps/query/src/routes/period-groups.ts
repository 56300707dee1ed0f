import { compareBytes } from '@engawa/keys';
import type { PeriodGroup } from '../aggregates/aggregate.ts';
import type { RoomPeriod } from '../membership-store.ts';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { RequestLimits } from '../visible-readings.ts';
import type { Subject } from './subject.ts';

export const groupings = ['device', 'room'] as const;
export type Grouping = (typeof groupings)[number];

export interface GroupsQuestion {
  params: unknown;
  /** In which the periods are. */
  range: TimeRange;
  /** A group is in the answer if it has a period in this. */
  shown: TimeRange;
  by: Grouping | undefined;
  means: RequestLimits;
}

/** The periods of an answer in one group, or in one for each device or room, in the byte order of their names; those in no room first. */
export async function periodGroups(
  whose: Subject,
  { params, range, shown, by, means }: GroupsQuestion,
): Promise<PeriodGroup[]> {
  const periods = await whose.periods(params, range, means);
  if (by === undefined) return [{ name: undefined, periods }];
  const placed: readonly RoomPeriod[] =
    by === 'room' ? ((await whose.rooms?.(params, periods, means)) ?? []) : periods;
  const groups = Map.groupBy(placed, (period) => period[by]);
  const isShown = ({ from, to }: TimeRange) => from < shown.to && to > shown.from;
  return [...groups]
    .map(([name, own]): PeriodGroup => ({ name, periods: own }))
    .filter((group) => group.periods.some(isShown))
    .sort((left, right) => compareNames(left.name, right.name));
}

/** Nameless ones first. */
export function compareNames(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined)
    return Number(left !== undefined) - Number(right !== undefined);
  return compareBytes(left, right);
}
