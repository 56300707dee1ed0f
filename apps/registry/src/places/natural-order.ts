import { Problem } from '@engawa/errors';
import { naturalPosition } from '@engawa/keys';
import { pageOf } from '../devices/placed-devices.ts';
import { readCollection } from './place-collection.ts';
import type { Placement, Room } from '@engawa/model';
import type { ShardRow, Table } from '@engawa/table';
import type { CollectionPage, CollectionRequest } from './place-collection.ts';

export interface NamedRequest extends CollectionRequest {
  part: 'devices' | 'rooms';
}

/** Maximum number of devices, or of rooms, of a place that are sorted by name: they take about 170 read units. */
export const maxNamed = 5000;

const pageSize = 1000;

/**
 * A page of the devices or rooms of a place in natural order of their names, whose keys are not stored
 * (docs/adr/0134): all of them are read, by one consistent Query per 1,000. Undefined where there is no such place.
 * @throws Problem if there are more than `maxNamed`
 */
export async function readByName(
  table: Table,
  { limit, after, ...question }: NamedRequest,
): Promise<CollectionPage | undefined> {
  const devices: (ShardRow & { item: Placement })[] = [];
  const rooms: (ShardRow & { item: Room })[] = [];
  let page: CollectionPage | undefined;
  do {
    const from = page?.after;
    page = await readCollection(table, { ...question, limit: pageSize, after: from });
    if (page === undefined) return undefined;
    for (const item of page.devices)
      devices.push({ sortKey: naturalPosition(item.name, item.device), item });
    for (const item of page.rooms)
      rooms.push({ sortKey: naturalPosition(item.name, item.id), item });
    if (devices.length + rooms.length > maxNamed) throw tooMany(question);
  } while (page.after !== undefined);
  const asked = { limit, after, budget: question.budget };
  const [ofDevices, ofRooms] = [pageOf(devices, asked), pageOf(rooms, asked)];
  const next = ofDevices.after ?? ofRooms.after;
  return {
    place: page.place,
    devices: ofDevices.rows.map(({ item }) => item),
    rooms: ofRooms.rows.map(({ item }) => item),
    ...(next !== undefined && { after: next }),
  };
}

function tooMany({ place, part }: Pick<NamedRequest, 'place' | 'part'>): Problem {
  const message = `must be id for a place with more than ${maxNamed} ${part}`;
  return new Problem(
    'invalid-request',
    `The place ${JSON.stringify(place)} has too many ${part}.`,
    {
      fieldErrors: [{ path: 'query.order', message }],
    },
  );
}
