import { z } from 'zod';
import type { PlacementPeriod } from './placement-history.ts';

/** A time that a device spent at a place, in one room of it or in none. */
export const periodOutput = z.strictObject({
  place: z.string(),
  room: z.string().optional().describe('Absent for a time in no room of the place.'),
  since: z.iso.datetime(),
  until: z.iso.datetime().optional().describe('Absent for the current period.'),
});

export function showPeriod({ place, room, since, until }: PlacementPeriod) {
  return {
    place,
    room,
    since: new Date(since),
    ...(until !== undefined && { until: new Date(until) }),
  };
}
