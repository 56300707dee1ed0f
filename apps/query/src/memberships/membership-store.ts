import { Problem } from '@engawa/errors';
import {
  compareBytes,
  earliestInstant,
  latestInstant,
  membersPartition,
  placeKey,
  roomKey,
} from '@engawa/keys';
import { isCurrent, unlessDeleted } from '@engawa/model';
import { MembershipCache } from './membership-cache.ts';
import { readHistory, readMembers } from './read-memberships.ts';
import type { RequestBudget, Places } from '@engawa/http';
import type { Membership } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TimeRange } from '../time-range.ts';

/** A room, or a whole place. */
export interface Location {
  place: string;
  room?: string | undefined;
}

/** A time in which a device was in a room of a place, or in no room of it. */
export interface RoomPeriod extends DevicePeriod {
  room?: string | undefined;
}

/** A time in which a device was at a location. */
export interface DevicePeriod extends TimeRange {
  device: string;
  /** The beginning of the stay, at or before `from`; by default `from`. */
  since?: number;
}

export interface LocationRequest extends Location {
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface HistoryRequest extends TimeRange {
  device: string;
  places: Places;
  budget: RequestBudget;
  signal: AbortSignal;
}

export type RecentRequest = Omit<HistoryRequest, 'places' | keyof TimeRange>;

/** Maximum age of cached memberships: a device is seen to have moved this much later. */
const lifetimeMs = 5000;
const maxEntries = 1000;

/** Within the range is each device's last membership, which has not ended if the device is there now. */
const lastOnes = { from: latestInstant, to: latestInstant + 1 };

/** Read units of an eventually consistent GetItem of a place or a room, which is below 4 KB. */
const unitsOfLocation = 0.5;

/** Which devices are, and were, in rooms and at places. A range costs the memberships that overlap it. */
export class MembershipStore {
  readonly #table: Table;
  /** Memberships of rooms and places. */
  readonly #members: MembershipCache<Location>;
  /** Memberships of devices. */
  readonly #histories: MembershipCache<string>;

  /** @param now monotonic milliseconds */
  constructor(table: Table, now: () => number) {
    const kept = { lifetimeMs, maxEntries, now };
    this.#table = table;
    this.#members = new MembershipCache({
      keyOf: ({ place, room }) => membersPartition(place, room),
      load: (location, range, budget) => readMembers(location, { table, ...range, budget }),
      ...kept,
    });
    this.#histories = new MembershipCache({
      keyOf: (device) => device,
      load: (device, range, budget) => readHistory(device, { table, ...range, budget }),
      ...kept,
    });
  }

  /**
   * The times within the range in which each device was at the location, by device, then by time;
   * those of one device neither overlap nor touch. Each has the beginning of its stay.
   * @throws Problem `place-not-found`, `room-not-found`
   */
  async overlapping({
    from,
    to,
    ...location
  }: LocationRequest & TimeRange): Promise<DevicePeriod[]> {
    const range = { from, to };
    return clipped(await this.#of(location, range), range);
  }

  /**
   * The devices that are at the location now (`isCurrent`), or were there at an earlier time (epoch milliseconds), in
   * the byte order of their ids. A move counts from when it is made, as in the registry, although its time may be up to
   * a minute ahead.
   * @throws Problem `place-not-found`, `room-not-found`
   */
  async present(location: LocationRequest, at?: number): Promise<string[]> {
    const moment = at === undefined ? lastOnes : { from: at, to: at + 1 };
    const memberships = await this.#of(location, moment);
    const there = memberships.filter((membership) => {
      const { since, until = Infinity } = membership;
      return at === undefined ? isCurrent(membership) : since <= at && at < until;
    });
    return [...new Set(there.map(({ device }) => device))].sort(compareBytes);
  }

  /** The times within the range in which a device was at one of the places. */
  async ofDevice({ device, places, from, to, ...limits }: HistoryRequest): Promise<DevicePeriod[]> {
    const range = { from, to };
    const { memberships } = await this.#histories.get(device, range, limits.budget);
    limits.signal.throwIfAborted();
    const permitted = memberships.filter(
      ({ room, place }) => room === undefined && places.allows(place),
    );
    return clipped(permitted, range);
  }

  /** The time since which a page of the last memberships of a device lasts; the earliest time if these are all. */
  async recentSince({ device, budget, signal }: RecentRequest): Promise<number> {
    const { knownSince } = await this.#histories.get(device, lastOnes, budget);
    signal.throwIfAborted();
    return Math.max(earliestInstant, knownSince);
  }

  /** Splits the times of a device at a place by room: by room, then by time. */
  async roomsOf(
    periods: readonly DevicePeriod[],
    { device, place, budget, signal }: Omit<LocationRequest, 'room'> & { device: string },
  ): Promise<RoomPeriod[]> {
    const range = {
      from: Math.min(...periods.map(({ from }) => from)),
      to: Math.max(...periods.map(({ to }) => to)),
    };
    const { memberships } = await this.#histories.get(device, range, budget);
    signal.throwIfAborted();
    const here = memberships.filter((one) => one.place === place && one.room !== undefined);
    const byRoom = Map.groupBy(here, ({ room }) => room);
    return periods.flatMap((period) => {
      const stay = { ...period, from: period.since ?? period.from };
      const inRooms = [...byRoom].flatMap(([room, times]) =>
        clipped(times, stay).map((one): RoomPeriod => ({ ...one, room })),
      );
      return within([...inRooms, ...without(stay, inRooms)], period);
    });
  }

  async #of(
    { place, room, budget, signal }: LocationRequest,
    range: TimeRange,
  ): Promise<readonly Membership[]> {
    const { memberships } = await this.#members.get({ place, room }, range, budget);
    if (memberships.length === 0) await this.#expect({ place, room }, budget);
    signal.throwIfAborted();
    return memberships;
  }

  /** A location without memberships may exist all the same. */
  async #expect({ place, room }: Location, budget: RequestBudget): Promise<void> {
    const key = room === undefined ? placeKey(place) : roomKey(place, room);
    budget.charge(unitsOfLocation);
    const item = unlessDeleted(await this.#table.get(key));
    if (item === undefined) throw locationNotFound({ place, room });
  }
}

export function locationNotFound({ place, room }: Location): Problem {
  const where = `place ${JSON.stringify(place)}`;
  return room === undefined
    ? new Problem('place-not-found', `There is no ${where}.`)
    : new Problem('room-not-found', `There is no room ${JSON.stringify(room)} in ${where}.`);
}

function clipped(memberships: readonly Membership[], range: TimeRange): DevicePeriod[] {
  const stays = memberships.map(({ device, since, until = Infinity }) => {
    return { device, from: since, to: until };
  });
  return within(joined(stays), range);
}

/** The parts of stays within a range. */
function within<Stay extends DevicePeriod>(
  stays: readonly Stay[],
  { from, to }: TimeRange,
): Stay[] {
  return stays
    .map((stay) => {
      const part = { from: Math.max(stay.from, from), to: Math.min(stay.to, to) };
      return { ...stay, ...part, since: stay.from };
    })
    .filter((stay) => stay.from < stay.to);
}

/** The parts of a period outside of others within it. */
function without(period: DevicePeriod, others: readonly TimeRange[]): DevicePeriod[] {
  const left: DevicePeriod[] = [];
  let { from } = period;
  for (const other of others.toSorted((a, b) => a.from - b.from)) {
    if (other.from > from) left.push({ ...period, from, to: other.from });
    from = Math.max(from, other.to);
  }
  return from < period.to ? [...left, { ...period, from }] : left;
}

/** Joins adjacent periods of a device: one range to read instead of two. */
function joined(periods: readonly DevicePeriod[]): DevicePeriod[] {
  const joined: DevicePeriod[] = [];
  const sorted = periods.toSorted(
    (left, right) => compareBytes(left.device, right.device) || left.from - right.from,
  );
  for (const period of sorted) {
    const last = joined.at(-1);
    if (last?.device === period.device && period.from <= last.to) {
      last.to = Math.max(last.to, period.to);
    } else joined.push({ ...period });
  }
  return joined;
}
