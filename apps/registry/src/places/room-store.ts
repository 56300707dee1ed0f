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
import { noAnnotations } from '../annotations/merge-annotations.ts';
import { refuseWhileDeleted } from '../being-deleted.ts';
import { listByName } from '../lists/list-by-name.ts';
import { changeNamed, putNamed } from './named-items.ts';
import { placeNotFound } from './place-store.ts';
import type { RequestBudget, ExpectedState, Revision } from '@engawa/http';
import type { Annotations, Membership, Room } from '@engawa/model';
import type { MergedPage, Shards, Table } from '@engawa/table';
import type { NamedRow, NameListRequest } from '../lists/list-by-name.ts';
import type { AnnotationsChange, NamedItem } from './named-items.ts';

export interface RoomStoreOptions {
  table: Table;
  shards: Shards;
}

export interface RoomAddress {
  place: string;
  id: string;
}

/** The description of a room, as given by a client. */
export interface RoomDescription extends RoomAddress, Annotations {
  name: string;
}

/** A change of a room. */
export interface RoomChange extends RoomAddress, AnnotationsChange {
  name?: string | undefined;
}

export interface DevicesRequest extends RoomAddress {
  limit: number;
  /** The last sort key of the page before. */
  after?: string | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface RoomPage {
  room: Room;
  /** The current memberships. */
  members: Membership[];
  after?: string;
}

type NamedRoom = RoomAddress & Annotations & Pick<RoomChange, 'name'>;

/** Reads, creates and changes rooms. */
export class RoomStore {
  readonly #options: RoomStoreOptions;

  constructor(options: RoomStoreOptions) {
    this.#options = options;
  }

  /** The rooms of all places, sorted by collated name; one Query per shard. */
  list(question: NameListRequest): Promise<MergedPage<NamedRow<Room>>> {
    const { table, shards } = this.#options;
    const keyAt = (gsi1sk: string) => {
      const [, place = '', id = ''] = decodeTuple(gsi1sk);
      return roomKey(place, id);
    };
    const family = { shards, family: roomListFamily, partition: roomListPartition };
    return listByName({ table, ...family, keyAt, parse: parseRoom }, question);
  }

  /**
   * A room and the devices in it now: one BatchGetItem, and Queries of current and former
   * memberships until the page is full or the budget is spent, since former memberships do not
   * count.
   */
  async get(question: DevicesRequest): Promise<RoomPage> {
    const { place, id, signal, budget } = question;
    const keys = [placeKey(place), roomKey(place, id)];
    const reading = this.#options.table.getAll(keys, { consistent: true, signal });
    const [{ items, units }, page] = await Promise.all([reading, this.#members(question)]);
    budget.charge(units);
    const live = items.filter((item) => tombstoneOf(item) === undefined);
    const item = live.find((item) => keyOf(item).sk === roomKey(place, id).sk);
    // The rooms of a deleted place are purged a moment later.
    if (item === undefined || live.length < keys.length) throw roomNotFound({ place, id });
    return { room: parseRoom(item), ...page };
  }

  /** Creates a room (one transaction), or renames the existing one. */
  async put({
    expected,
    ...described
  }: RoomDescription & { expected: ExpectedState<Revision> }): Promise<{
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
   * Creates the missing rooms of a place, at most 99, in one or two transactions.
   * @returns how many were created
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
        const there = new Set(error.failed.map((index) => index - 1)); // the first write checks the place
        missing = missing.filter((_, index) => !there.has(index));
      }
    }
    return 0;
  }

  /** All or none. @throws ConditionFailed where one exists, Problem `place-not-found`, `being-deleted` */
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

  /** Reads the place before the change, since the rooms of a deleted place are purged a moment later. */
  async #change(
    named: NamedItem<Room>,
    address: RoomAddress,
    change: AnnotationsChange,
  ): Promise<Room> {
    const place = await this.#options.table.get(placeKey(address.place), { consistent: true });
    if (unlessDeleted(place) === undefined) throw roomNotFound(address);
    return changeNamed(this.#options.table, named, change);
  }

  async #members(question: DevicesRequest): Promise<Pick<RoomPage, 'members' | 'after'>> {
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
      title: `the room ${where}`,
      parse: parseRoom,
      attributes: {
        ...(name !== undefined && roomNameAttributes({ place, id, name }, shards)),
        ...annotationAttributes(annotations),
      },
      notFound: () => roomNotFound({ place, id }),
      notFoundCode: 'room-not-found',
      alreadyExists: () => new Problem('already-exists', `The room ${where} exists already.`),
      changed: (version) =>
        new Problem('version-mismatch', `The room ${where} has version ${version} now.`),
    };
  }
}

export function roomNotFound({ place, id }: RoomAddress): Problem {
  return new Problem('room-not-found', `There is no room ${whereOf({ place, id })}.`);
}

function whereOf({ place, id }: RoomAddress): string {
  return `${JSON.stringify(id)} in place ${JSON.stringify(place)}`;
}
