import { Problem } from '@engawa/errors';
import { compareBytes, membersPartition, placeKey, roomKey } from '@engawa/keys';
import { parseMembership, unlessDeleted } from '@engawa/model';
import { ShortLivedCache } from './short-lived-cache.ts';
import type { Membership } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';
import type { TimeRange } from './readings/merge-blocks.ts';

/** A room, or, without one, a place as a whole. */
export interface Scene {
  place: string;
  room?: string | undefined;
}

/** A time in which a device was there. */
export interface DevicePeriod extends TimeRange {
  device: string;
}

export interface OverlapQuestion extends Scene, TimeRange {
  signal: AbortSignal;
}

export interface Overlap {
  /** By device, then by time; those of one device neither overlap nor touch. */
  periods: DevicePeriod[];
  /** Read units that finding them took: none while they are known from before. */
  units: number;
}

interface Members {
  memberships: readonly Membership[];
  units: number;
}

/** How long who is where is believed: a device that moves is seen to have moved this much later. */
const lifetimeMs = 5000;
const scenesKept = 1000;

/** Which devices are and were in rooms and at places. */
export class MembershipStore {
  readonly #table: Table;
  readonly #members: ShortLivedCache<Members>;
  /** Loads whose units nobody has been charged for yet. */
  readonly #uncharged = new WeakSet<Members>();

  /** @param now monotonic milliseconds */
  constructor(table: Table, now: () => number) {
    this.#table = table;
    this.#members = new ShortLivedCache({
      load: (pk) => this.#load(pk),
      lifetimeMs,
      capacity: scenesKept,
      now,
    });
  }

  /**
   * When each device was there, as far as it is in the range.
   * @throws Problem `place-not-found`, `room-not-found`
   */
  async overlapping({ from, to, signal, ...scene }: OverlapQuestion): Promise<Overlap> {
    const { memberships, units } = await this.#of(scene);
    signal.throwIfAborted();
    const clipped = memberships
      .map(({ device, since, until = Infinity }) => ({
        device,
        from: Math.max(since, from),
        to: Math.min(until, to),
      }))
      .filter((period) => period.from < period.to);
    return { periods: joined(clipped), units };
  }

  /**
   * The devices whose stay has not ended at `now`, in the byte order of their ids, each once.
   * @throws Problem `place-not-found`, `room-not-found`
   */
  async present(scene: Scene, now: number): Promise<{ devices: string[]; units: number }> {
    const { memberships, units } = await this.#of(scene);
    const there = memberships.filter(({ until }) => until === undefined || until > now);
    return { devices: [...new Set(there.map(({ device }) => device))].sort(compareBytes), units };
  }

  async #of({ place, room }: Scene): Promise<Members> {
    const members = await this.#members.get(membersPartition(place, room));
    if (members.memberships.length === 0) await this.#expect({ place, room });
    const units = this.#uncharged.delete(members) ? members.units : 0;
    return { memberships: members.memberships, units };
  }

  /** Of nobody's signal: others may be waiting for the same. */
  async #load(pk: string): Promise<Members> {
    const memberships: Membership[] = [];
    let units = 0;
    let after: PageKey | undefined;
    do {
      const page = await this.#table.query({ pk, ...(after && { after }) });
      memberships.push(...page.items.map(parseMembership));
      units += page.units;
      after = page.next;
    } while (after !== undefined);
    const members = { memberships, units };
    this.#uncharged.add(members);
    return members;
  }

  /** A room that never had a device in it is there all the same. */
  async #expect({ place, room }: Scene): Promise<void> {
    const key = room === undefined ? placeKey(place) : roomKey(place, room);
    if (unlessDeleted(await this.#table.get(key)) !== undefined) return;
    const where = `place ${JSON.stringify(place)}`;
    throw room === undefined
      ? new Problem('place-not-found', `There is no ${where}.`)
      : new Problem('room-not-found', `There is no room ${JSON.stringify(room)} in ${where}.`);
  }
}

/** A device that went and came back at once was there all the time: one range to read instead of two. */
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
