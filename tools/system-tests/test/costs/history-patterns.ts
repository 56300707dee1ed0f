import { blockItem, deviceItem, keyOf, membershipItem, placeItem, roomItem } from '@engawa/model';
import { aDevice } from '@engawa/testing';
import { day, hour, midnight, minute } from './seed-table.ts';
import { lengthOf, range, search } from './pattern.ts';
import type { Document } from '@engawa/model';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

/** A device that has moved between two rooms; each has its own place, since memberships are cached for some seconds. */
interface Wanderer {
  name: string;
  moves: number;
  /** Milliseconds of each stay. */
  stay: number;
}

const years: Wanderer = { name: 'years', moves: 3000, stay: 29 * hour };
const oneDay: Wanderer = { name: 'one-day', moves: 3000, stay: day / 3000 };

/** The device is in the bedroom after its last move; it has a reading every ten minutes of the last day. */
async function seedMoves(services: MeteredServices, { name, moves, stay }: Wanderer) {
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
  const blocks = Array.from({ length: 144 }, (_, index) => {
    const time = midnight - day + index * 10 * minute;
    return blockItem({ device: name, readings: [{ time, fields: { temperature: 20 } }] });
  });
  const device = aDevice({ id: name, place: name, room, since: midnight - stay });
  const items: Document[] = [
    placeItem({ id: name, ...registered }, 1),
    ...['living', 'kitchen', room].map((id) => roomItem({ place: name, id, ...registered }, 1)),
    membershipItem({ place: name, device: name, since }),
    ...stays,
    { ...deviceItem(device, { list: 1, seen: 1 }) },
    ...blocks.map((block) => ({ ...block })),
  ];
  await Promise.all(items.map((item) => writer.put({ ...item, ...keyOf(item) })));
  writer.close();
}

const lastDay = range(midnight - day, midnight);

/** Makes the rollups of full hours, and caches the device. */
function rollUp(services: MeteredServices, { name }: Wanderer): Promise<unknown> {
  return services.ask('query', `/v1/devices/${name}/aggregates?${search(lastDay)}`);
}

function ofRoom(services: MeteredServices, { name }: Wanderer, list: string): Promise<number> {
  return lengthOf(services, ['query', `/v1/rooms/${name}/${list}`], 'items');
}

const often = 'Query of the memberships from the end, up to those that overlap the range';

/** Rooms and places of devices that have moved 3,000 times. */
export const historyPatterns: Pattern[] = [
  {
    ask: 'latest readings of a room that a device has left and entered 1,500 times in 10 years; it is elsewhere',
    how: `${often}; the rest of a device's memberships is skipped`,
    requests: '1 or 2 per device with a long history',
    expected: { Query: 2 },
    prepare: (services) => seedMoves(services, years),
    run: (services) => ofRoom(services, years, 'living/latest'),
    gives: 0,
  },
  {
    ask: 'aggregates by the hour of the room where the device was for the last day, after 3,000 moves in 10 years, later requests',
    how: `${often}, and of the rollups`,
    requests: '2 per device with a long history, and 1 per page of each device',
    expected: { Query: 2 },
    prepare: (services) => rollUp(services, years),
    run: (services) => ofRoom(services, years, `bedroom/aggregates?${search(lastDay)}`),
    gives: 24,
  },
  {
    ask: 'aggregates of a day of a room that a device has entered 1,500 times that day',
    how: 'Query of the memberships, of which all overlap the range; GetItem of the device, Query of readings: stays with less than an hour between them share their reads',
    requests: '1 per page of memberships, 1 for the device, and 1 per page of readings',
    expected: { GetItem: 1, Query: 6 },
    prepare: async (services) => {
      await seedMoves(services, oneDay);
      await rollUp(services, oneDay);
    },
    run: (services) =>
      ofRoom(services, oneDay, `living/aggregates?${search({ ...lastDay, every: 'P1D' })}`),
    gives: 1,
  },
];
