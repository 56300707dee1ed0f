import { day, hour, midnight } from './seed-table.ts';
import { lengthOf, range, search } from './pattern.ts';
import { seedHistory } from './seed-history.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';
import type { Wanderer } from './seed-history.ts';

const years: Wanderer = { name: 'years', moves: 3000, stay: 29 * hour };
const oneDay: Wanderer = { name: 'one-day', moves: 3000, stay: day / 3000 };

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
    prepare: (services) => seedHistory(services, years),
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
      await seedHistory(services, oneDay);
      await rollUp(services, oneDay);
    },
    run: (services) =>
      ofRoom(services, oneDay, `living/aggregates?${search({ ...lastDay, every: 'P1D' })}`),
    gives: 1,
  },
];
