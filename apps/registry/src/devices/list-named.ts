import { decodeTuple, deviceKey, deviceListFamily, deviceListPartition } from '@engawa/keys';
import { parseDevice, unlessDeleted } from '@engawa/model';
import { listByName } from '../lists/list-by-name.ts';
import { listMatching } from '../lists/list-matching.ts';
import { hasPrefix } from '../lists/name-ranges.ts';
import { isSelected, matchesListed, selectsAll, selectsNone } from './device-filter.ts';
import { nameSortKey, pageOf, readPlacements } from './placed-devices.ts';
import type { MergedPage, Shards, Table } from '@engawa/table';
import type { Device, Document } from '@engawa/model';
import type { NamedRow, NameListRequest } from '../lists/list-by-name.ts';
import type { DeviceFilter, Selection } from './device-filter.ts';

/** The attributes of a device in the list index (docs/adr/0005-index-projections.md). */
export type ListedDevice = Pick<
  Device,
  'id' | 'name' | 'kind' | 'status' | 'registeredAt' | 'labels'
>;

export interface DeviceList {
  table: Table;
  shards: Shards;
  /** Above this number of devices at a place, the list of all devices is read instead. */
  maxPlaced?: { named: number; seen: number };
}

export type NamedRequest = NameListRequest & Selection;

/**
 * By name, each page reads the placements of the place: 5,000 take about 170 read units. By last
 * seen, each page also looks up the devices, for half a unit each; the list of all devices has ten
 * or more devices for half a unit.
 */
export const defaultMaxPlaced = { named: 5000, seen: 1000 };

/**
 * The selected devices by collated name, with all properties where the filter names a place.
 * Without a place, a page takes one Query per shard and step of the list of all devices. With a
 * place, its placements are read and sorted, and the devices of the page looked up (docs/adr/0046).
 */
export async function listNamed(
  { table, shards, maxPlaced = defaultMaxPlaced }: DeviceList,
  { filter, places, ...question }: NamedRequest,
): Promise<MergedPage<NamedRow<ListedDevice>>> {
  const selection = { filter, places };
  const list = { table, shards, ...family };
  if (selectsAll(selection)) return listByName(list, question);
  if (selectsNone(selection)) return { rows: [] };
  const whole = (rows: readonly NamedRow<Pick<Device, 'id'>>[]) =>
    selectedOf(table, rows, { ...question, ...selection });
  const placed = await placedRows(table, filter, { ...question, maxDevices: maxPlaced.named });
  if (placed !== undefined) {
    return listMatching(question, (asked) => Promise.resolve(pageOf(placed, asked)), whole);
  }
  const showsPlace = filter.place === undefined && !places.isRestricted;
  return listMatching(
    question,
    (asked) => listByName(list, asked),
    (rows) => {
      const matching = rows.filter(({ item }) => matchesListed(filter, item));
      return showsPlace ? matching : whole(matching);
    },
  );
}

const family = {
  family: deviceListFamily,
  partition: deviceListPartition,
  keyAt: (gsi1sk: string) => {
    const [, id = ''] = decodeTuple(gsi1sk);
    return deviceKey(id);
  },
  parse: (item: Document): ListedDevice => {
    const { id, name, kind, status, registeredAt, labels } = parseDevice(item);
    return { id, name, kind, status, registeredAt, ...(labels !== undefined && { labels }) };
  },
};

/** The candidates of the page, at a place that is not too large. */
async function placedRows(
  table: Table,
  { place, room, kind }: DeviceFilter,
  question: NameListRequest & { maxDevices: number },
): Promise<NamedRow<Pick<Device, 'id'>>[] | undefined> {
  if (place === undefined) return undefined;
  const { namePrefix = '', ignoreAccents, maxDevices, budget, signal } = question;
  const isNamed = hasPrefix(namePrefix, ignoreAccents);
  return (await readPlacements(table, { place, maxDevices, budget, signal }))
    ?.filter((placed) => (room ?? placed.room) === placed.room)
    .filter((placed) => (kind ?? placed.kind) === placed.kind)
    .map((placed) => ({ sortKey: nameSortKey(placed), item: { id: placed.device } }))
    .filter(({ sortKey }) => isNamed(sortKey));
}

/** The selected devices of these rows: half a read unit or more each. */
async function selectedOf(
  table: Table,
  rows: readonly NamedRow<Pick<Device, 'id'>>[],
  { budget, signal, ...selection }: NamedRequest,
): Promise<NamedRow<Device>[]> {
  const devices = await devicesOf(
    table,
    rows.map(({ item }) => item.id),
    { budget, signal },
  );
  const selected = devices.filter((device) => isSelected(selection, device));
  const byId = new Map(selected.map((device) => [device.id, device]));
  return rows.flatMap(({ sortKey, item: { id } }) => {
    const item = byId.get(id);
    return item === undefined ? [] : [{ sortKey, item }];
  });
}

/** The existing devices among these ids, unordered: one BatchGetItem per 100. */
export async function devicesOf(
  table: Table,
  ids: readonly string[],
  { budget, signal }: Pick<NameListRequest, 'budget' | 'signal'>,
): Promise<Device[]> {
  const { items, units } = await table.getAll(ids.map(deviceKey), { signal });
  budget.charge(units);
  return items.filter((item) => unlessDeleted(item) !== undefined).map(parseDevice);
}
