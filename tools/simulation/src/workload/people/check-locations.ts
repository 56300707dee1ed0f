import { bucketOf, violationsOfEdges } from '../../oracles/buckets.ts';
import { allPages } from '../../oracles/pages.ts';
import { dayMs, importFrom, latestEnd, timeZones } from './meter-steps.ts';
import { compare } from './meter.ts';
import type { BucketRange, SeriesRange, BucketResponse } from '../../oracles/buckets.ts';
import type { Location } from '../../oracles/membership-history.ts';
import type { ActorContext } from '../actor.ts';
import type { Gadget } from './gadget.ts';
import type { Home } from './home.ts';
import type { MeterReadingResponse } from './meter.ts';

/** A place or room that exists. */
interface LocationPath {
  location: Location;
  /** Path of the location in the query API, such as `/v1/places/home`. */
  path: string;
}

/** Compares the readings and aggregates of places and rooms with the expected ones. */
export async function violationsOfLocations(
  context: ActorContext,
  homes: readonly Home[],
  gadgets: readonly Gadget[],
): Promise<string[]> {
  const { random } = context;
  const from = importFrom - dayMs;
  const range = { from, to: latestEnd(context), timeZone: random.pick(timeZones) };
  const violations: string[] = [];
  for (const location of homes.flatMap(locationsOf)) {
    if (random.chance(0.6)) continue;
    const shown = gadgets.filter(({ isShown }) => isShown);
    violations.push(...(await violationsOfReadings(context, location, shown, range)));
    const begin = random.chance(0.5) ? from : random.integer(from, range.to - 1);
    const asked: BucketRange = { ...range, from: begin, every: random.pick(['P1D', 'P1M']) };
    violations.push(...(await violationsOfAggregates(context, location, shown, asked)));
  }
  return violations;
}

function locationsOf({ id, place, rooms }: Home): LocationPath[] {
  const all = [{ thing: place, location: { place: id } as Location }];
  for (const [room, thing] of rooms) all.push({ thing, location: { place: id, room } });
  return all.flatMap(({ thing: { incarnation, path }, location }) =>
    incarnation ? [{ location, path }] : [],
  );
}

async function violationsOfReadings(
  context: ActorContext,
  { location, path }: LocationPath,
  gadgets: readonly Gadget[],
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const list = `${path}/readings?from=${from}&to=${to}`;
  const asked = { service: 'query', path: list, limit: { from: 3, to: 100 } } as const;
  const shown = (await allPages<MeterReadingResponse & { device: string }>(context, asked)) ?? [];
  const times = shown.map(({ time }) => time);
  const wanted = gadgets.flatMap(({ id, series, memberships }) =>
    memberships.at(location).flatMap(({ since, until = Infinity }) =>
      series.shown
        .filter(({ time }) => time >= Math.max(since, from) && time < Math.min(until, to))
        .map(({ time, values }) => ({
          device: id,
          time: new Date(time).toISOString(),
          fields: values,
        })),
    ),
  );
  return [
    ...compare(`${list} in order`, times, times.toSorted()),
    ...compare(list, shown.toSorted(byTimeAndDevice), wanted.toSorted(byTimeAndDevice)),
  ];
}

async function violationsOfAggregates(
  context: ActorContext,
  { location, path }: LocationPath,
  gadgets: readonly Gadget[],
  range: BucketRange,
): Promise<string[]> {
  const { from, to, every, timeZone } = range;
  const what = `every=${every}&timeZone=${encodeURIComponent(timeZone)}&fn=count,sum,min,max,increase`;
  const list = `${path}/aggregates?from=${from}&to=${to}&${what}`;
  const asked = { service: 'query', path: list, limit: { from: 5, to: 200 } } as const;
  const shown = (await allPages<BucketResponse>(context, asked)) ?? [];
  const ranges = gadgets.flatMap(({ series, memberships }) =>
    memberships.at(location).map(({ since, until }): SeriesRange => ({ series, since, until })),
  );
  // A location without a device in the range has no buckets.
  if (shown.length === 0) return compare(list, {}, bucketOf(ranges, range));
  return [
    ...violationsOfEdges(shown, range).map((violation) => `GET ${list}: ${violation}`),
    ...shown.flatMap((bucket) => {
      const own = { from: Date.parse(bucket.from), to: Date.parse(bucket.to) };
      return compare(`${list} ${bucket.from}`, bucket.fields, bucketOf(ranges, own));
    }),
  ];
}

function byTimeAndDevice(
  one: { time: string; device: string },
  other: { time: string; device: string },
): number {
  if (one.time !== other.time) return one.time < other.time ? -1 : 1;
  return one.device < other.device ? -1 : 1;
}
