import { bucketOf, violationsOfEdges } from '../../oracles/buckets.ts';
import { allPages } from '../../oracles/pages.ts';
import { dayMs, importFrom, timeZones } from './meter-steps.ts';
import { compare } from './meter.ts';
import type { BucketRange, Part, ShownBucket } from '../../oracles/buckets.ts';
import type { Location } from '../../oracles/stays.ts';
import type { Stage } from '../actor.ts';
import type { Gadget } from './gadget.ts';
import type { Home } from './home.ts';
import type { ShownReading } from './meter.ts';

/** A place or a room that is there. */
interface Scene {
  location: Location;
  /** For readings: `/v1/places/home`. */
  path: string;
}

/** What was measured at places and in rooms, compared with what there must be. */
export async function violationsOfScenes(
  stage: Stage,
  homes: readonly Home[],
  gadgets: readonly Gadget[],
): Promise<string[]> {
  const { random, wallClock } = stage;
  const from = importFrom - dayMs;
  const range = { from, to: wallClock() - 60_000, timeZone: random.pick(timeZones) };
  const violations: string[] = [];
  for (const scene of homes.flatMap(scenesOf)) {
    if (random.chance(0.6)) continue;
    const shown = gadgets.filter(({ isShown }) => isShown);
    violations.push(...(await violationsOfReadings(stage, scene, shown, range)));
    const begin = random.chance(0.5) ? from : random.integer(from, range.to - 1);
    const asked: BucketRange = { ...range, from: begin, every: random.pick(['P1D', 'P1M']) };
    violations.push(...(await violationsOfAggregates(stage, scene, shown, asked)));
  }
  return violations;
}

function scenesOf({ id, place, rooms }: Home): Scene[] {
  const all = [{ thing: place, location: { place: id } as Location }];
  for (const [room, thing] of rooms) all.push({ thing, location: { place: id, room } });
  return all.flatMap(({ thing: { life, path }, location }) => (life ? [{ location, path }] : []));
}

async function violationsOfReadings(
  stage: Stage,
  { location, path }: Scene,
  gadgets: readonly Gadget[],
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const list = `${path}/readings?from=${from}&to=${to}`;
  const asked = { service: 'query', path: list, limit: { from: 3, to: 100 } } as const;
  const shown = (await allPages<ShownReading & { device: string }>(stage, asked)) ?? [];
  const times = shown.map(({ time }) => time);
  const wanted = gadgets.flatMap(({ id, series, stays }) =>
    stays.at(location).flatMap(({ since, until = Infinity }) =>
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
  stage: Stage,
  { location, path }: Scene,
  gadgets: readonly Gadget[],
  range: BucketRange,
): Promise<string[]> {
  const { from, to, every, timeZone } = range;
  const what = `every=${every}&timeZone=${encodeURIComponent(timeZone)}&fn=count,sum,min,max,increase`;
  const list = `${path}/aggregates?from=${from}&to=${to}&${what}`;
  const asked = { service: 'query', path: list, limit: { from: 5, to: 200 } } as const;
  const shown = (await allPages<ShownBucket>(stage, asked)) ?? [];
  const parts = gadgets.flatMap(({ series, stays }) =>
    stays.at(location).map(({ since, until }): Part => ({ series, since, until })),
  );
  // Where no device was at any time of the range, there are no buckets.
  if (shown.length === 0) return compare(list, {}, bucketOf(parts, range, from));
  return [
    ...violationsOfEdges(shown, range).map((violation) => `GET ${list}: ${violation}`),
    ...shown.flatMap((bucket) => {
      const own = { from: Date.parse(bucket.from), to: Date.parse(bucket.to) };
      return compare(`${list} ${bucket.from}`, bucket.fields, bucketOf(parts, own, from));
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
