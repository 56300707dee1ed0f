import { corrected } from './oracle-corrections.ts';
import { isVisible } from './world.ts';
import type { AggregatesRequest, LatestRequest, Owner, ReadingsRequest } from './requests.ts';
import type { CorrectedReading } from './oracle-corrections.ts';
import type { ValuesByField, World } from './world.ts';

export interface Period {
  device: string;
  from: number;
  to: number;
}

export interface PlainReading {
  device: string;
  time: number;
  values: ValuesByField;
}

/** When whose readings count, each stretch as long as it is; undefined where there is no such device. */
export function periodsOf(world: World, owner: Owner): Period[] | undefined {
  if ('device' in owner) {
    const isThere = world.devices.some(({ id }) => id === owner.device);
    return isThere ? [{ device: owner.device, from: -Infinity, to: Infinity }] : undefined;
  }
  const { place, room } = owner;
  const slices = world.slices
    .filter((slice) => slice.place === place && (room === undefined || slice.room === room))
    .toSorted((left, right) => left.since - right.since);
  const periods: Period[] = [];
  for (const { device, since, until } of slices) {
    const before = periods.find((period) => period.device === device && period.to === since);
    if (before === undefined) periods.push({ device, from: since, to: until });
    else before.to = until;
  }
  return periods;
}

/** The periods of each device or room that has one in a range; of all in one without a grouping. */
export function groupsOf(
  world: World,
  { owner, groupBy, from, to }: Pick<AggregatesRequest, 'owner' | 'groupBy' | 'from' | 'to'>,
): { name?: string; periods: Period[] }[] | undefined {
  const periods = periodsOf(world, owner);
  if (periods === undefined || groupBy === undefined || 'device' in owner) {
    return periods && [{ periods }];
  }
  const { place } = owner;
  const rooms = new Set(world.slices.flatMap((slice) => (slice.place === place ? slice.room : [])));
  const names = groupBy === 'room' ? [...rooms] : periods.map(({ device }) => device);
  return [...new Set(names)].sort(compareBytes).flatMap((name) => {
    const own =
      groupBy === 'room'
        ? (periodsOf(world, { place, room: name }) ?? [])
        : periods.filter(({ device }) => device === name);
    return own.some((period) => period.from < to && period.to > from)
      ? [{ name, periods: own }]
      : [];
  });
}

function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** In the order of time, device, receipt. */
function sorted(readings: readonly CorrectedReading[]): CorrectedReading[] {
  return readings.toSorted((left, right) => {
    const order = left.time - right.time || compareBytes(left.device, right.device);
    return order || (left.rank === right.rank ? 0 : left.rank - right.rank);
  });
}

export function expectedReadings(
  world: World,
  { owner, from, to, order, fields }: ReadingsRequest,
): PlainReading[] | undefined {
  const periods = periodsOf(world, owner);
  if (periods === undefined) return undefined;
  const visible = world.readings.filter((reading) => isVisible(reading, world.now));
  const readings = corrected(world, visible, 'shown')
    .filter(({ time }) => time >= from && time < to)
    .filter(({ device, time }) =>
      periods.some((period) => {
        return period.device === device && time >= period.from && time < period.to;
      }),
    );
  const inOrder = sorted(readings);
  if (order === 'desc') inOrder.reverse();
  return inOrder
    .map(({ device, time, values }) => ({ device, time, values: picked(values, fields) }))
    .filter(({ values }) => fields === undefined || Object.keys(values).length > 0);
}

function picked(values: ValuesByField, fields: readonly string[] | undefined): ValuesByField {
  if (fields === undefined) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => fields.includes(name)));
}

/** The devices that are there now, each with its newest readings. */
export function expectedLatest(
  world: World,
  { owner, limit }: LatestRequest,
): { id: string; readings: PlainReading[] }[] | undefined {
  const periods = periodsOf(world, owner);
  const there = periods?.filter(({ to }) => to > world.now).map(({ device }) => device);
  const ids = there && [...new Set(there)].sort(compareBytes);
  return ids?.map((id) => {
    const own = world.readings.filter((reading) => reading.device === id);
    const visible = own.filter((reading) => isVisible(reading, world.now));
    const shown = corrected(world, visible, 'shown').filter(({ device }) => device === id);
    const newest = sorted(shown).reverse().slice(0, limit);
    return { id, readings: newest.map(({ device, time, values }) => ({ device, time, values })) };
  });
}
