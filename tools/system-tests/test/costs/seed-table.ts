import {
  blockItem,
  deviceItem,
  keyOf,
  membershipItem,
  packReadings,
  placeItem,
  placementItem,
  roomItem,
  blockSpanOf,
} from '@engawa/model';
import { aDevice } from '@engawa/testing';
import type { Document, Reading } from '@engawa/model';
import type { TableItem, Table } from '@engawa/table';

/** Amount of data in the table. */
export interface Size {
  readings: number;
  devices: number;
  /** Further places without devices, each with a room. */
  places: number;
  /** Number of dead letters per day. */
  deadLetters: number;
}

export const small: Size = { readings: 1e3, devices: 20, places: 10, deadLetters: 20 };
export const large: Size = { readings: 1e5, devices: 2000, places: 1000, deadLetters: 1000 };

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** All data of the table is older than this fixed time, so that the figures are independent of the time of the run. */
export const midnight = Date.UTC(2024, 5, 3);

/**
 * Devices with many readings: interval, whether packed into blocks, and number of recent readings.
 * The recent ones are the newest, and in the same blocks, for any size of the table.
 */
const reporters = [
  { device: 'meter', step: minute, packed: false, recent: 400 },
  { device: 'climate', step: minute, packed: true, recent: 140 },
  { device: 'slow', step: 10 * minute, packed: true, recent: 290 },
] as const;

/** Each other device, a sensor, has this number of readings in one block. */
const ofSensor = { step: minute, packed: true, recent: 10 } as const;
/** One sensor of each place changed rooms in the middle of them. */
export const moved = midnight - 5 * minute;
const arrivedAt = midnight - 300 * day;

/** Each query has its own place, since the devices of a place are cached for some seconds. */
export const queriedPlaces = ['lakeside', 'hillside', 'old-town'] as const;
export type QueriedPlace = (typeof queriedPlaces)[number];
const sensorsOfPlace: Record<QueriedPlace, number> = { lakeside: 6, hillside: 5, 'old-town': 6 };

/** Ordered by last seen, the oldest first: devices with many readings, then sensors. */
export function deviceId(index: number): string {
  return reporters[index]?.device ?? `sensor-${String(index + 1).padStart(4, '0')}`;
}

/** Three are in the room `living`, two in `kitchen`, and the sixth moved from `living` to `kitchen`. */
export function sensorsOf(place: QueriedPlace): string[] {
  const before = queriedPlaces.slice(0, queriedPlaces.indexOf(place));
  const first = before.reduce<number>((sum, each) => sum + sensorsOfPlace[each], reporters.length);
  return Array.from({ length: sensorsOfPlace[place] }, (_, index) => deviceId(first + index));
}

/** Items in memory at once. */
const chunk = 5000;

export async function seedTable(table: Table, size: Size): Promise<void> {
  const writer = table.batchWriter();
  let waiting: Promise<void>[] = [];
  for (const item of itemsOf(size)) {
    waiting.push(writer.put(item));
    if (waiting.length < chunk) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
  writer.close();
}

function* itemsOf(size: Size): Generator<TableItem> {
  const recent = reporters.reduce((sum, each) => sum + each.recent, 0);
  const ofSensors = (size.devices - reporters.length) * ofSensor.recent;
  const older = (size.readings - ofSensors - recent) / reporters.length;
  for (let index = 0; index < size.devices; index++) yield* deviceItems(index, older);
  for (const place of queriedPlaces) yield* sceneItems(place);
  for (let index = 0; index < size.places; index++) {
    yield* buildingItems(`place-${String(index).padStart(4, '0')}`, ['living']);
  }
}

function* deviceItems(index: number, older: number): Generator<TableItem> {
  const device = deviceId(index);
  const { recent, step, packed } = reporters[index] ?? ofSensor;
  const newest = { to: midnight, count: recent, step, packed };
  const behind = { ...newest, to: midnight - recent * step, count: older };
  const packs = [newest, ...(index < reporters.length ? [behind] : [])].flatMap(packsOf);
  for (const readings of packs) yield { ...blockItem({ device, readings }) };
  const place = queriedPlaces.find((each) => sensorsOf(each).includes(device));
  const settled = place !== undefined && whereOf(place, device);
  const described = aDevice({
    id: device,
    name: index < reporters.length ? device : `Sensor ${index + 1}`,
    registeredAt: midnight - 400 * day,
    lastSeenAt: lastSeenAt(index),
    span: Math.max(...packs.map(blockSpanOf)),
    ...settled,
  });
  yield { ...deviceItem(described, { list: 1, seen: 1 }), ...(settled && { arrivedAt }) };
}

interface Reports {
  to: number;
  count: number;
  step: number;
  packed: boolean;
}

function packsOf({ to, count, step, packed }: Reports): Reading[][] {
  const readings = Array.from({ length: count }, (_, index) => ({
    time: to - (count - index) * step,
    fields: { temperature: 20 + (index % 50) / 10 },
  }));
  return packed ? packReadings('device', readings) : readings.map((reading) => [reading]);
}

/** Five were last seen long ago, three in the hour before midnight, and all others after midnight. */
function lastSeenAt(index: number): number {
  if (index < 5) return midnight - 3 * hour + index * 1000;
  if (index < 8) return midnight - 30 * minute + index * 1000;
  return midnight + 2 * hour + index * 1000;
}

function whereOf(
  place: QueriedPlace,
  device: string,
): { place: string; room: string; since: number } {
  const number = sensorsOf(place).indexOf(device);
  const room = number < 3 ? 'living' : 'kitchen';
  return { place: place, room, since: number < 5 ? arrivedAt : moved };
}

function* sceneItems(place: QueriedPlace): Generator<TableItem> {
  yield* buildingItems(place, ['living', 'kitchen']);
  for (const device of sensorsOf(place)) {
    const { room, since } = whereOf(place, device);
    yield itemOf(membershipItem({ place, device, since: arrivedAt }));
    yield itemOf(membershipItem({ place, room, device, since }));
    if (since !== arrivedAt) {
      const left = { place, room: 'living', device, since: arrivedAt, until: since };
      yield itemOf(membershipItem(left));
    }
    const happened = { lastEventAt: midnight - hour, lastEvent: { contact: 'open' } };
    const shown = { name: device, kind: 'contact', ...happened } as const;
    yield itemOf(placementItem({ place, device, room, since, ...shown }));
  }
}

function* buildingItems(place: string, rooms: readonly string[]): Generator<TableItem> {
  const registered = { registeredAt: midnight - 400 * day, version: 1 };
  yield itemOf(placeItem({ id: place, name: `The house ${place}`, ...registered }, 1));
  for (const id of rooms) {
    yield itemOf(roomItem({ place, id, name: `Room ${place}`, ...registered }, 1));
  }
}

/** The builders also return the keys. */
function itemOf(document: Document): TableItem {
  return { ...document, ...keyOf(document) };
}
