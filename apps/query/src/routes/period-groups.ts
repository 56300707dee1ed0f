import { compareBytes } from '@engawa/keys';
import type { PeriodGroup } from '../aggregates/aggregate-request.ts';
import type { RoomPeriod } from '../memberships/membership-store.ts';
import type { TimeRange } from '../time-range.ts';
import type { RequestLimits } from '../visible-readings.ts';
import type { Subject } from './subject.ts';

export const groupings = ['device', 'room'] as const;
export type Grouping = (typeof groupings)[number];

export interface GroupsRequest {
  params: unknown;
  /** The range of the periods. */
  range: TimeRange;
  by: Grouping | undefined;
  limits: RequestLimits;
}

/**
 * Groups periods by device or room, in the byte order of names, periods in no room first; without
 * `by`, into one group.
 */
export async function periodGroups(
  subject: Subject,
  { params, range, by, limits }: GroupsRequest,
): Promise<PeriodGroup[]> {
  const periods = await subject.periods(params, range, limits);
  if (by === undefined) return [{ name: undefined, periods }];
  const placed: readonly RoomPeriod[] =
    by === 'room' ? ((await subject.rooms?.(params, periods, limits)) ?? []) : periods;
  const groups = Map.groupBy(placed, (period) => period[by]);
  return [...groups]
    .map(([name, own]): PeriodGroup => ({ name, periods: own }))
    .sort((left, right) => compareNames(left.name, right.name));
}

/** Groups without a name come first. */
export function compareNames(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined)
    return Number(left !== undefined) - Number(right !== undefined);
  return compareBytes(left, right);
}
