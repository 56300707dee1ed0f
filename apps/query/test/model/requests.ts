import { fieldNames, moment } from './random-world.ts';
import { plainWidth, widthsMs, zones } from './local-time.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 86_400_000;

export const functionNames = [
  ...['count', 'sum', 'avg', 'min', 'max', 'first', 'last'],
  ...['increase', 'rate', 'timeWeightedMean'],
  ...['p50', 'p90', 'p95', 'p99'],
];
export const stateFunctionNames = ['changes', 'duration', 'share'];
const fills = ['none', 'null', 'previous', 'previous', 'linear', 'linear', '0', '-1.5'];

/** Milliseconds of a rate's unit of time. */
export const rateUnits = { second: 1000, minute: 60_000, hour: 3_600_000 };

/** Whose readings: of a device, of a room, or of a place. */
export type Owner = { device: string } | { place: string; room?: string };

interface Range {
  from: number;
  to: number;
  /** Whether it is asked for with `now-…s`, where that is possible. */
  isRelative: boolean;
}

export interface LatestRequest {
  kind: 'latest';
  owner: Owner;
  limit: number;
}

export interface ReadingsRequest extends Range {
  kind: 'readings';
  owner: Owner;
  order: 'asc' | 'desc';
  fields?: string[] | undefined;
  /** Pages that it takes at least, were the pages full. */
  pages: number;
}

export interface AggregatesRequest extends Range {
  kind: 'aggregates';
  owner: Owner;
  every: string;
  /** In place of `every`, which is what it comes to. */
  maxPoints?: number | undefined;
  timeZone: string;
  functions: string[];
  /** Functions of states. */
  states: string[];
  fields?: string[] | undefined;
  wrapsAt?: number | undefined;
  reset: 'zero' | 'unknown';
  per: keyof typeof rateUnits;
  groupBy?: 'device' | 'room' | undefined;
  fill: string;
  pages: number;
}

/** The increase, or the states, of two neighbouring ranges, which are those of their union. */
export interface NeighboursRequest {
  kind: 'neighbours';
  owner: Owner;
  from: number;
  middle: number;
  to: number;
  field: string;
  every: string;
  ofStates: boolean;
}

export type ModelRequest = LatestRequest | ReadingsRequest | AggregatesRequest | NeighboursRequest;

export function randomRequest(random: Random, world: World): ModelRequest {
  const owner = randomOwner(random, world);
  const die = random.next();
  if (die < 0.15) return { kind: 'latest', owner, limit: random.pick([1, 2, 5, 100]) };
  if (die < 0.2) return randomNeighbours(random, world, owner);
  const range = randomRange(random, world);
  const fields = random.chance(0.4) ? random.some([...fieldNames, 'none']).sort() : undefined;
  const pages = random.pick([1, 1, 1, 1, 1, 2, 3, 8]);
  const shared = { owner, fields, pages };
  if (die < 0.45) {
    return { kind: 'readings', ...shared, ...range, order: random.pick(['asc', 'desc'] as const) };
  }
  const widths = Object.keys(widthsMs).filter(
    (name) => (widthsMs[name] ?? 0) * 100 > range.to - range.from,
  );
  const timeZone = random.pick(zones);
  const maxPoints = random.chance(0.15) ? random.int(3, 100) : undefined;
  const states =
    fields !== undefined && random.chance(0.5) ? random.some(stateFunctionNames).sort() : [];
  const areAlone = states.length > 0 && random.chance(0.5);
  return {
    kind: 'aggregates',
    ...shared,
    ...range,
    every: maxPoints === undefined ? random.pick(widths) : plainWidth(range, timeZone, maxPoints),
    maxPoints,
    timeZone,
    groupBy: randomGrouping(random, owner),
    fill: fields === undefined || areAlone ? 'none' : random.pick(fills),
    per: random.pick(['second', 'minute', 'hour'] as const),
    functions: areAlone ? [] : randomFunctions(random),
    states,
    wrapsAt: random.chance(0.3) ? 100_000 : undefined,
    reset: random.pick(['zero', 'zero', 'unknown'] as const),
  };
}

function randomFunctions(random: Random): string[] {
  return random.chance(0.3)
    ? [random.pick(['increase', 'timeWeightedMean', 'p90'])]
    : random.some(functionNames).sort();
}

function randomNeighbours(random: Random, world: World, owner: Owner): NeighboursRequest {
  const times = [0, 1, 2].map(() => moment(random, world.from - day, world.to + day));
  const [from = 0, middle = 0, to = 0] = times.sort((left, right) => left - right);
  const every = random.pick(['PT6H', 'P1D', 'P1Y']);
  const ofStates = random.chance(0.5);
  return {
    kind: 'neighbours',
    owner,
    from,
    middle,
    to,
    field: random.pick(ofStates ? ['state', 'power'] : ['energy', 'big']),
    every,
    ofStates,
  };
}

function randomOwner(random: Random, { devices, rooms, name }: World): Owner {
  const die = random.next();
  if (die < 0.02) return { device: `${name} nobody` };
  if (die < 0.5 && devices.length > 0) return { device: random.pick(devices).id };
  const { place, room } = random.pick(rooms);
  return die < 0.75 ? { place, room } : { place };
}

function randomGrouping(random: Random, owner: Owner) {
  if ('device' in owner || random.chance(0.6)) return undefined;
  return owner.room === undefined ? random.pick(['device', 'room'] as const) : 'device';
}

function randomRange(random: Random, world: World): Range {
  const one = moment(random, world.from - day, world.to + day);
  const isRelative = random.chance(0.2);
  if (random.chance(0.2)) return { from: one, to: one + random.int(0, 90) * minute, isRelative };
  const other = moment(random, world.from - day, world.to + day);
  if (random.chance(0.15)) {
    const ahead = world.now + random.int(1, 30) * hour;
    return { from: Math.min(one, world.now), to: ahead, isRelative: false };
  }
  return { from: Math.min(one, other), to: Math.max(one, other), isRelative };
}
