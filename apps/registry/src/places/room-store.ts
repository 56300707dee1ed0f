import { Problem } from '@engawa/errors';
import {
  decodeTuple,
  membersPartition,
  placeKey,
  roomKey,
  roomListFamily,
  roomListPartition,
} from '@engawa/keys';
import {
  annotationAttributes,
  keyOf,
  parseMembership,
  parseRoom,
  roomItem,
  roomNameAttributes,
  tombstoneOf,
  unlessDeleted,
} from '@engawa/model';
import { absent, ConditionFailed, present } from '@engawa/table';
import { noAnnotations } from '../devices/replacement.ts';
import { refuseWhileDeleted } from '../purges/being-deleted.ts';
import { listByName } from '../lists/list-by-name.ts';
import { changeNamed, putNamed } from './named-items.ts';
import { placeNotFound } from './place-store.ts';
import type { Budget, Expected, Revision } from '@engawa/http';
import type { Annotations, Membership, Room } from '@engawa/model';
import type { MergedPage, Shards, Table } from '@engawa/table';
import type { NamedRow, NameQuestion } from '../lists/list-by-name.ts';
import type { Change, NamedItem } from './named-items.ts';

export interface RoomStoreOptions {
  table: Table;
  shards: Shards;
}

export interface RoomAddress {
  place: string;
  id: string;
}

/** A room as people describe it. */
export interface RoomDescription extends RoomAddress, Annotations {
  name: string;
}

/** What people change of a room. */
export interface RoomChange extends RoomAddress, Change {
  name?: string | undefined;
}

export interface DevicesQuestion extends RoomAddress {
  limit: number;
  /** The sort key at which the page before ended. */
  after?: string | undefined;
  budget: Budget;
  signal: AbortSignal;
}

export interface RoomPage {
  room: Room;
  /** Of the devices that are there now. */
  members: Membership[];
  after?: string;
}

type NamedRoom = RoomAddress & Annotations & Pick<RoomChange, 'name'>;

/** The rooms of all places. */
export class RoomStore {
  readonly #options: RoomStoreOptions;

  constructor(options: RoomStoreOptions) {
    this.#options = options;
  }

  /** By collated name, those of all places; one Query for each shard. */
  list(question: NameQuestion): Promise<MergedPage<NamedRow<Room>>> {
    const { table, shards } = this.#options;
    const keyAt = (gsi1sk: string) => {
      const [, place = '', id = ''] = decodeTuple(gsi1sk);
      return roomKey(place, id);
    };
    const family = { shards, family: roomListFamily, partition: roomListPartition };
    return listByName({ table, ...family, keyAt, parse: parseRoom }, question);
  }

  /**
   * The room, and who is in it now: one BatchGetItem, and a Query a page of those who are or have been in it. Goes on while
   * the page is not full and the budget lasts, for those who left count for nothing.
   */
  async get(question: DevicesQuestion): Promise<RoomPage> {
    const { place, id, signal, budget } = question;
    const keys = [placeKey(place), roomKey(place, id)];
    const reading = this.#options.table.getAll(keys, { consistent: true, signal });
    const [{ items, units }, page] = await Promise.all([reading, this.#members(question)]);
    budget.charge(units);
    const live = items.filter((item) => tombstoneOf(item) === undefined);
    const item = live.find((item) => keyOf(item).sk === roomKey(place, id).sk);
    // The rooms of a deleted place are erased a moment after it.
    if (item === undefined || live.length < keys.length) throw roomNotFound({ place, id });
    return { room: parseRoom(item), ...page };
  }

  /** One transaction where it is not there; else it gets the name. */
  async put({
    expected,
    ...described
  }: RoomDescription & { expected: Expected<Revision> }): Promise<{
    item: Room;
    created: boolean;
  }> {
    const replacement = this.#named({ ...noAnnotations, ...described });
    if (typeof expected === 'object') {
      const item = await this.#change(replacement, described, { revision: expected });
      return { item, created: false };
    }
    const create = async () => {
      const room: Room = { ...described, registeredAt: Date.now(), version: 1 };
      await this.#create(described.place, [room]);
      return room;
    };
    return putNamed(this.#options.table, replacement, { expected, create });
  }

  change({ place, id, name, ...change }: RoomChange): Promise<Room> {
    return this.#change(this.#named({ place, id, name }), { place, id }, change);
  }

  /**
   * Makes those of a place's rooms that are not there yet, each with its name; at most 99, in a transaction or two.
   * @returns how many were made
   */
  async createMissing(
    place: string,
    rooms: readonly Omit<RoomDescription, 'place'>[],
  ): Promise<number> {
    const registeredAt = Date.now();
    let missing = rooms.map((room) => ({ ...room, place, registeredAt, version: 1 }));
    while (missing.length > 0) {
      try {
        await this.#create(place, missing);
        return missing.length;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        const there = new Set(error.failed.map((index) => index - 1)); // the place is checked first
        missing = missing.filter((_, index) => !there.has(index));
      }
    }
    return 0;
  }

  /** All or none. @throws ConditionFailed where one is there, Problem `place-not-found`, `being-deleted` */
  async #create(place: string, rooms: readonly Room[]): Promise<void> {
    const shards = this.#options.shards.toWrite(roomListFamily);
    const puts = rooms.map((room) => ({ put: roomItem(room, shards), onlyIf: absent('pk') }));
    try {
      const check = { check: placeKey(place), onlyIf: present('version') };
      await this.#options.table.transact([check, ...puts]);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.failed.includes(0)) throw placeNotFound(place);
      for (const [index, { id }] of rooms.entries()) {
        refuseWhileDeleted(error.items.get(index + 1), `room ${whereOf({ place, id })}`);
      }
      throw error;
    }
  }

  /** A GetItem of the place, whose rooms are erased a moment after it, before the change. */
  async #change(named: NamedItem<Room>, address: RoomAddress, change: Change): Promise<Room> {
    const place = await this.#options.table.get(placeKey(address.place), { consistent: true });
    if (unlessDeleted(place) === undefined) throw roomNotFound(address);
    return changeNamed(this.#options.table, named, change);
  }

  async #members(question: DevicesQuestion): Promise<Pick<RoomPage, 'members' | 'after'>> {
    const { place, id, limit, budget, signal } = question;
    const pk = membersPartition(place, id);
    const members: Membership[] = [];
    let { after } = question;
    do {
      const { items, next, units } = await this.#options.table.query({
        pk,
        ...(after !== undefined && { after: { pk, sk: after } }),
        limit: limit + 1,
        signal,
      });
      budget.charge(units);
      for (const item of items) {
        const member = parseMembership(item);
        if (member.until !== undefined) continue;
        if (members.length === limit) return { members, after };
        members.push(member);
        after = keyOf(item).sk;
      }
      after = next?.['sk'];
    } while (after !== undefined && members.length < limit && !budget.isSpent);
    return after === undefined ? { members } : { members, after };
  }

  #named({ place, id, name, ...annotations }: NamedRoom): NamedItem<Room> {
    const where = whereOf({ place, id });
    const shards = this.#options.shards.toWrite(roomListFamily);
    return {
      key: roomKey(place, id),
      parse: parseRoom,
      attributes: {
        ...(name !== undefined && roomNameAttributes({ place, id, name }, shards)),
        ...annotationAttributes(annotations),
      },
      notFound: () => roomNotFound({ place, id }),
      alreadyExists: () => new Problem('already-exists', `There is a room ${where} already.`),
      changed: (version) =>
        new Problem('version-mismatch', `The room ${where} has version ${version} by now.`),
    };
  }
}

export function roomNotFound({ place, id }: RoomAddress): Problem {
  return new Problem('room-not-found', `There is no room ${whereOf({ place, id })}.`);
}

function whereOf({ place, id }: RoomAddress): string {
  return `${JSON.stringify(id)} in place ${JSON.stringify(place)}`;
}
