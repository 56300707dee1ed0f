import { blockItem, deviceItem, keyOf, membershipItem, placeItem, roomItem } from '@engawa/model';
import { aDevice } from '@engawa/testing';
import { day, midnight, minute } from './seed-table.ts';
import type { Document } from '@engawa/model';
import type { MeteredServices } from './metered-services.ts';

/** A device, the only one of a place of the same name, that has moved between two of its rooms. */
export interface Wanderer {
  name: string;
  moves: number;
  /** Milliseconds of each stay. */
  stay: number;
  /** Days before the last one, each with one reading. */
  olderDays?: number;
  /** Fields of each reading, the first of which is `temperature`. */
  fields?: number;
}

/** The device is in the bedroom after its last move; it has a reading every ten minutes of the last day. */
export async function seedHistory(services: MeteredServices, wanderer: Wanderer): Promise<void> {
  const { name, moves, stay } = wanderer;
  const registered = { registeredAt: midnight - 4000 * day, version: 1, name };
  const room = 'bedroom';
  const since = midnight - moves * stay;
  const writer = services.table.batchWriter();
  const stays = Array.from({ length: moves }, (_, index) => {
    const begin = { place: name, device: name, since: since + index * stay };
    if (index === moves - 1) return membershipItem({ ...begin, room });
    const until = begin.since + stay;
    return membershipItem({ ...begin, room: index % 2 === 0 ? 'living' : 'kitchen', until });
  });
  const device = aDevice({ id: name, place: name, room, since: midnight - stay });
  const items: Document[] = [
    placeItem({ id: name, ...registered }, 1),
    ...['living', 'kitchen', room].map((id) => roomItem({ place: name, id, ...registered }, 1)),
    membershipItem({ place: name, device: name, since }),
    ...stays,
    { ...deviceItem(device, { list: 1, seen: 1 }) },
    ...blocksOf(wanderer),
  ];
  await Promise.all(items.map((item) => writer.put({ ...item, ...keyOf(item) })));
  writer.close();
}

function blocksOf({ name, olderDays = 0, fields = 1 }: Wanderer): Document[] {
  const lastDay = Array.from({ length: 144 }, (_, index) => midnight - day + index * 10 * minute);
  const before = Array.from({ length: olderDays }, (_, index) => midnight - (index + 2) * day);
  const others = Array.from({ length: fields - 1 }, (_, index) => [`field-${index}`, index]);
  const values = { temperature: 20, ...(Object.fromEntries(others) as Record<string, number>) };
  return [...before, ...lastDay].map((time) => ({
    ...blockItem({ device: name, readings: [{ time, fields: values }] }),
  }));
}
