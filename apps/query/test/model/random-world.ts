import { randomUUID } from 'node:crypto';
import type { Random } from './random.ts';
import type { ModelDevice, DeviceSlice, StoredReading, ValuesByField, World } from './world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** How long before a world its first readings may be. */
const oldest = 60 * day;

/** In which clocks change somewhere, by an hour or by half of one, and none. */
const beginnings = [
  '2026-03-27T00:00:00Z',
  '2026-10-24T00:00:00Z',
  '2026-10-31T00:00:00Z',
  '2026-04-03T00:00:00Z',
  '2026-10-02T12:00:00Z',
  '2026-03-07T06:00:00Z',
  '2025-12-30T00:00:00Z',
  '2026-06-01T00:00:00Z',
].map((text) => Date.parse(text));

export const fieldNames = ['energy', 'power', 'big', 'state', 'a, b', 'constructor'];

/** A world of one to four devices in one to three rooms. */
export function randomWorld(random: Random): World {
  const name = randomUUID();
  const from = random.pick(beginnings);
  const to = from + random.int(1, 5) * day;
  const now = to + random.pick([-5 * hour, 0, 5 * minute, 3 * hour, 2 * day, 40 * day]);
  const rooms = Array.from({ length: random.int(1, 3) }, (_, index) => ({
    place: `${name} ${index % 2}`,
    room: `room ${index}`,
  }));
  const retention = random.chance(0.4) ? now - from + random.int(0, 2 * day) : Infinity;
  const ids = ['a', 'a～', 'a😀', 'b'].slice(0, random.int(1, 4));
  const devices = ids.map((id): ModelDevice => {
    const shards = random.pick([1, 1, 1, 4]);
    const registeredAt = random.pick([0, from - oldest]);
    return { id: `${name} ${id}`, shards, span: 0, retention, lastSeenAt: 0, registeredAt };
  });
  const world: World = {
    name,
    from,
    to,
    now,
    devices,
    readings: [],
    slices: [],
    rooms,
    corrections: [],
    needlessMarks: 0,
    refusals: 0,
  };
  for (const device of devices) world.slices.push(...slicesOf(random, world, device));
  return world;
}

/** The time of the last moves: the registry refuses moves ahead of its clock. */
export function lastMove({ to, now }: World): number {
  return Math.min(to, now);
}

/** One to three stays behind each other, with gaps or without. */
function slicesOf(random: Random, world: World, { id }: ModelDevice): DeviceSlice[] {
  const { from, rooms } = world;
  const slices: DeviceSlice[] = [];
  const to = lastMove(world);
  let since = random.chance(0.5) ? from - random.pick([5 * day, oldest]) : moment(random, from, to);
  for (let count = random.int(0, 3); count > 0; count--) {
    const until = count === 1 && random.chance(0.7) ? Infinity : moment(random, since + 1, to);
    if (until <= since || since > to || (until > to && until < Infinity)) break;
    slices.push({ device: id, ...random.pick(rooms), since, until });
    since = random.chance(0.5) ? until : until + random.int(1, 10) * hour;
  }
  return slices;
}

/** A time of older readings. */
export function beforeSilence(from: number): { from: number; to: number } {
  return { from: from - oldest, to: from - oldest / 3 };
}

/** At a full day, hour, quarter or minute, or at any millisecond. */
export function moment(random: Random, from: number, to: number): number {
  const time = random.int(from, Math.max(from, to));
  const grid = random.pick([1, minute, 15 * minute, hour, hour, day]);
  return Math.max(from, Math.floor(time / grid) * grid);
}

/** Readings of a device, not in order of time; many of them share a moment. */
export function randomReadings(
  random: Random,
  device: ModelDevice,
  range: { from: number; to: number },
): Omit<StoredReading, 'expiresAt' | 'rank'>[] {
  const count = random.int(1, 40);
  const isDense = random.chance(0.3);
  const start = moment(random, range.from, range.to);
  const end = isDense ? Math.min(range.to, start + 2 * hour) : range.to;
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const isAgain = times.length > 0 && random.chance(0.15);
    times.push(isAgain ? random.pick(times) : moment(random, isDense ? start : range.from, end));
  }
  let counter = random.int(0, 99_990_000);
  return times
    .sort((left, right) => left - right)
    .map((time) => {
      counter = step(random, counter);
      return { device: device.id, time, values: randomValues(random, counter) };
    });
}

/** In thousandths: up mostly, down at times, to the beginning when it wraps at 100,000 or is replaced. */
function step(random: Random, counter: number): number {
  if (random.chance(0.05)) return random.int(0, 5000);
  if (random.chance(0.05)) return Math.max(0, counter - random.int(0, 2000));
  return (counter + random.int(0, 500_000)) % 100_000_000;
}

export function randomValues(random: Random, counter: number): ValuesByField {
  const all: ValuesByField = {
    energy: thousandths(counter),
    power: random.chance(0.1) ? 'null' : thousandths(random.int(-50_000, 50_000)),
    big: `${random.int(1, 9)}${digits(random, 18)}.${digits(random, 10)}${random.int(1, 9)}`,
    state: random.pick(['"on"', '"off"', 'true', '5']),
    'a, b': String(random.int(-3, 3)),
    constructor: String(random.int(0, 1)),
  };
  const names = random.chance(0.3) ? ['energy'] : random.some(fieldNames);
  return Object.fromEntries(names.map((name) => [name, all[name] ?? '0']));
}

function thousandths(value: number): string {
  return String(value / 1000);
}

function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.int(0, 9)).join('');
}
