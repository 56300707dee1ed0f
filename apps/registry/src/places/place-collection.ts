import { placeKey, placePartition } from '@engawa/keys';
import {
  keyOf,
  parsePlace,
  parsePlacement,
  parseRoom,
  tombstoneOf,
  unlessDeleted,
} from '@engawa/model';
import type { Budget } from '@engawa/http';
import type { Document, Place, Placement, Room } from '@engawa/model';
import type { QueryRequest, Table } from '@engawa/table';

export interface CollectionQuestion {
  place: string;
  /** By sort key, the devices (`DEVICE…`) come before the place itself (`PLACE…`), and the rooms (`ROOM…`) after it. */
  part: 'all' | 'devices' | 'rooms';
  /** Devices and rooms at most. */
  limit: number;
  /** The sort key at which the page before ended. */
  after?: string | undefined;
  budget: Budget;
  signal: AbortSignal;
}

export interface CollectionPage {
  place: Place;
  devices: Placement[];
  rooms: Room[];
  /** The sort key at which this page ended, where more follows. */
  after?: string;
}

/**
 * A page of a place's item collection, devices before rooms, each by id: one Query, consistent, which also has the place
 * itself where all of it fits a page, and always where it begins with the rooms. On other pages of a larger one a GetItem
 * of the place comes with it. Undefined where there is no such place, whatever may be left of it.
 */
export async function readCollection(
  table: Table,
  question: CollectionQuestion,
): Promise<CollectionPage | undefined> {
  const { place: id, limit, after, budget, signal } = question;
  const { items, next, units } = await table.query({
    pk: placePartition(id),
    ...rangeOf(question),
    ...(after !== undefined && { after: { pk: placePartition(id), sk: after } }),
    // The place itself is none of those that are counted, and one more tells whether there is a next page.
    limit: limit + 2,
    consistent: true,
    signal,
  });
  budget.charge(units);
  const { sk: own } = placeKey(id);
  const counted = items.filter((item) => keyOf(item).sk !== own && tombstoneOf(item) === undefined);
  const shown = counted.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = counted.length > limit || next !== undefined;
  const mayBeElsewhere = hasMore || after !== undefined;
  const found = items.find((item) => keyOf(item).sk === own);
  const item = unlessDeleted(
    found ?? (mayBeElsewhere ? await getPlace(table, question) : undefined),
  );
  if (item === undefined) return undefined;
  const page = { place: parsePlace(item), ...sorted(shown) };
  return hasMore ? { ...page, after: last === undefined ? next?.['sk'] : keyOf(last).sk } : page;
}

function rangeOf({ place, part }: CollectionQuestion): Pick<QueryRequest, 'sk'> {
  const { sk } = placeKey(place);
  if (part === 'all') return {};
  return { sk: part === 'devices' ? { to: sk } : { from: sk } };
}

async function getPlace(
  table: Table,
  { place, budget, signal }: CollectionQuestion,
): Promise<Document | undefined> {
  budget.charge(1);
  return table.get(placeKey(place), { consistent: true, signal });
}

function sorted(items: readonly Document[]): Pick<CollectionPage, 'devices' | 'rooms'> {
  const page: Pick<CollectionPage, 'devices' | 'rooms'> = { devices: [], rooms: [] };
  for (const item of items) {
    if (keyOf(item).sk.startsWith('DEVICE#')) page.devices.push(parsePlacement(item));
    else page.rooms.push(parseRoom(item));
  }
  return page;
}
