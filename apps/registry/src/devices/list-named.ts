import {
  decodeTuple,
  deviceKey,
  deviceListFamily,
  deviceListPartition,
  namePrefix as sortKeyPrefix,
} from '@engawa/keys';
import { parseDevice, unlessDeleted } from '@engawa/model';
import { listByName } from '../lists/list-by-name.ts';
import { listMatching } from '../lists/list-matching.ts';
import { isSelected, matchesListed, selectsAll, selectsNone } from './device-filter.ts';
import { nameSortKey, pageOf, readPlacements } from './placed-devices.ts';
import type { MergedPage, Shards, Table } from '@engawa/table';
import type { Device, Document } from '@engawa/model';
import type { NamedRow, NameQuestion } from '../lists/list-by-name.ts';
import type { DeviceFilter, Selection } from './device-filter.ts';

/** What the list index holds of a device (docs/adr/0005-index-projections.md). */
export type ListedDevice = Pick<
  Device,
  'id' | 'name' | 'kind' | 'status' | 'registeredAt' | 'labels'
>;

export interface DeviceList {
  table: Table;
  shards: Shards;
  /** Of the list of a place with more devices, the list of all devices is read. */
  maxPlaced?: { named: number; seen: number };
}

export type NamedQuestion = NameQuestion & Selection;

/**
 * By name, the placements of a place are read for each page: 5,000 take about 170 read units. By last seen, all its devices are
 * looked up, too, for half a unit each; the list of all devices has ten or more for that.
 */
export const usualMaxPlaced = { named: 5000, seen: 1000 };

/**
 * The selected devices by collated name, whole where the filter names a place. Without a place each page is a Query for each
 * shard and step of the list of all devices. With one, the placements of that place are read and sorted, and those on the
 * page looked up (docs/adr/0046).
 */
export async function listNamed(
  { table, shards, maxPlaced = usualMaxPlaced }: DeviceList,
  { filter, places, ...question }: NamedQuestion,
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

/** What may be on the page, of a place that is not too large. */
async function placedRows(
  table: Table,
  { place, room, kind }: DeviceFilter,
  { namePrefix, maxDevices, budget, signal }: NameQuestion & { maxDevices: number },
): Promise<NamedRow<Pick<Device, 'id'>>[] | undefined> {
  if (place === undefined) return undefined;
  const question = { place, maxDevices, budget, signal };
  const prefix = namePrefix === undefined ? '' : sortKeyPrefix(namePrefix);
  return (await readPlacements(table, question))
    ?.filter((placed) => (room ?? placed.room) === placed.room)
    .filter((placed) => (kind ?? placed.kind) === placed.kind)
    .map((placed) => ({ sortKey: nameSortKey(placed), item: { id: placed.device } }))
    .filter(({ sortKey }) => sortKey.startsWith(prefix));
}

/** The devices of these rows, as far as they are selected: half a read unit and more each. */
async function selectedOf(
  table: Table,
  rows: readonly NamedRow<Pick<Device, 'id'>>[],
  { budget, signal, ...selection }: NamedQuestion,
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

/** Those of the devices that are there, in no order: a BatchGetItem for each 100. */
export async function devicesOf(
  table: Table,
  ids: readonly string[],
  { budget, signal }: Pick<NameQuestion, 'budget' | 'signal'>,
): Promise<Device[]> {
  const { items, units } = await table.getAll(ids.map(deviceKey), { signal });
  budget.charge(units);
  return items.filter((item) => unlessDeleted(item) !== undefined).map(parseDevice);
}
