import { placeKey, placePartition } from '@engawa/keys';
import {
  keyOf,
  parsePlace,
  parsePlacement,
  parseRoom,
  tombstoneOf,
  unlessDeleted,
} from '@engawa/model';
import type { RequestBudget } from '@engawa/http';
import type { Document, Place, Placement, Room } from '@engawa/model';
import type { QueryRequest, Table } from '@engawa/table';

export interface CollectionRequest {
  place: string;
  /** In the order of sort keys, devices (`DEVICE…`) precede the place (`PLACE…`), and rooms (`ROOM…`) follow it. */
  part: 'all' | 'devices' | 'rooms';
  /** Maximum number of devices and rooms. */
  limit: number;
  /** The last sort key of the page before. */
  after?: string | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface CollectionPage {
  place: Place;
  devices: Placement[];
  rooms: Room[];
  /** The last sort key of this page; absent on the last page. */
  after?: string;
}

/**
 * A page of a place's item collection, devices before rooms, each sorted by id: one consistent
 * Query. It includes the place where all fits on one page, and on a page that begins with the
 * rooms; on other pages, a GetItem reads the place. Undefined where there is no such place, even if
 * items of it remain.
 */
export async function readCollection(
  table: Table,
  question: CollectionRequest,
): Promise<CollectionPage | undefined> {
  const { place: id, limit, after, budget, signal } = question;
  const { items, next, units } = await table.query({
    pk: placePartition(id),
    ...rangeOf(question),
    ...(after !== undefined && { after: { pk: placePartition(id), sk: after } }),
    // The place itself does not count, and one more item shows whether there is a next page.
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

function rangeOf({ place, part }: CollectionRequest): Pick<QueryRequest, 'sk'> {
  const { sk } = placeKey(place);
  if (part === 'all') return {};
  return { sk: part === 'devices' ? { to: sk } : { from: sk } };
}

async function getPlace(
  table: Table,
  { place, budget, signal }: CollectionRequest,
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
