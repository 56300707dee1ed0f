import { randomUUID } from 'node:crypto';
import { allBuckets, hour, minute } from './aggregates.ts';
import { single } from './query-fixture.ts';
import type { FieldValue } from '@engawa/model';
import type { Bucket } from './aggregates.ts';
import type { QueryFixture } from './query-fixture.ts';

interface States {
  changes?: number;
  values: { value: unknown; duration?: number; share?: number }[];
  others?: { duration?: number; share?: number };
}

export type StateBucket = Bucket & { states: Record<string, States>; incomplete?: boolean };

/** Values of `door`, each so many minutes after midnight. */
export type DoorValues = readonly (readonly [number, FieldValue])[];

export const midnight = Date.parse('2026-10-01T00:00:00Z');
export const day = 24 * hour;
export const iso = (time: number) => new Date(time).toISOString();

/** All states of `door` on a day. */
export const doorOfDay = {
  fn: 'duration,share,changes',
  fields: 'door',
  every: 'P1D',
  from: iso(midnight),
  to: iso(midnight + day),
};

/** A device with these values. */
export async function placeDoor(fixture: QueryFixture, values: DoorValues, id = randomUUID()) {
  const readings = values.map(([minutes, door]) => ({
    time: midnight + minutes * minute,
    fields: { door },
  }));
  await fixture.place({ id, blocks: single(readings) });
  return id;
}

/** All pages of the states of `door` on a day, or of another question. */
export async function askStates(
  fixture: QueryFixture,
  of: string,
  question: Record<string, string> = {},
): Promise<StateBucket[]> {
  return (await allBuckets(fixture, of, { ...doorOfDay, ...question })) as StateBucket[];
}

/** Durations of `door` in minutes, by the JSON of the value. */
export function minutesOf(buckets: readonly StateBucket[]) {
  return buckets.map(({ states: { door } }) => {
    const values = door?.values ?? [];
    return Object.fromEntries(
      values.map(({ value, duration = NaN }) => [JSON.stringify(value), duration / 60]),
    );
  });
}
