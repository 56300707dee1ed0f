import { day, deviceId, hour, midnight, sensorsOf } from './seed-table.ts';
import { lengthOf, range, search } from './pattern.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

interface AggregatesQuery {
  from: number;
  to: number;
  every: string;
  timeZone?: string;
  fn?: string;
  groupBy?: string;
  limit?: number;
}

function buckets(
  services: MeteredServices,
  whose: string,
  { from, to, ...rest }: AggregatesQuery,
): Promise<number> {
  const path = `/v1/${whose}/aggregates?${search({ ...range(from, to), ...rest })}`;
  return lengthOf(services, ['query', path], 'items');
}

/** The query service caches for five seconds that the device exists. */
function know(services: MeteredServices, device: string): Promise<unknown> {
  return services.ask('query', `/v1/${device}/readings?${search(range(0, 1))}`);
}

const meter = `devices/${deviceId(0)}`;
const slow = `devices/${deviceId(2)}`;
/** Has readings on the last day only. */
const young = `devices/${deviceId(19)}`;
const kitchen = 'rooms/hillside/kitchen';

const lastHour = { from: midnight - hour, to: midnight, every: 'PT1H' };
const sixHours = { from: midnight - 6 * hour, to: midnight, every: 'PT1H' };
const twoDays = { from: midnight - 2 * day, to: midnight, every: 'P1D' };
const year = { from: midnight - 365 * day, to: midnight, every: 'P1D', limit: 365 };
const percentiles = { ...sixHours, fn: 'p95' };
const byRoom = { ...lastHour, groupBy: 'room' };

/** Midnight in Kolkata is at 18:30 UTC. */
const inKolkata = {
  from: midnight - 5.5 * hour,
  to: midnight + 0.5 * hour,
  every: 'PT3H',
  timeZone: 'Asia/Kolkata',
};

const made = 'Query of the rollups, consistent; the device is cached for 5 s';

/** Queries of aggregates; each uses the rollups that the previous ones computed. */
export const rollupPatterns: Pattern[] = [
  {
    ask: 'aggregates over 6 past hours, first request',
    how: 'Query of rollups, the device, Query of readings, and a transaction of the new rollups; the device is cached for 5 s',
    requests: '2, 1 per page of readings, and 1 per 100 rollups',
    expected: { GetItem: 1, Query: 2, TransactWriteItems: 1 },
    prepare: (services) => know(services, meter),
    run: (services) => buckets(services, meter, sixHours),
    gives: 6,
  },
  {
    ask: 'the same, later requests',
    how: made,
    requests: '1 per page',
    expected: { Query: 1 },
    prepare: (services) => know(services, meter),
    run: (services) => buckets(services, meter, sixHours),
    gives: 6,
  },
  {
    ask: 'aggregates over 2 past days, first request',
    how: 'Query of the rollups of days and of hours, the device, Query of readings, and a transaction',
    requests: '3, 1 per page of readings, and 1 per 100 rollups',
    expected: { GetItem: 1, Query: 3, TransactWriteItems: 1 },
    prepare: (services) => know(services, slow),
    run: (services) => buckets(services, slow, twoDays),
    gives: 2,
  },
  {
    ask: 'the same, later requests',
    how: made,
    requests: '1 per page',
    expected: { Query: 1 },
    prepare: (services) => know(services, slow),
    run: (services) => buckets(services, slow, twoDays),
    gives: 2,
  },
  {
    ask: 'aggregates over a year by day, first request, of a device whose first reading is of the last day',
    how: 'Query of the rollups of days and of hours, the device, Query of its first block, of the readings from it on, and a transaction',
    requests: '4 and 1 per shard, 1 per page of rollups and of readings, and 1 per 100 rollups',
    expected: { GetItem: 1, Query: 4, TransactWriteItems: 1 },
    prepare: (services) => know(services, young),
    run: (services) => buckets(services, young, year),
    gives: 365,
  },
  {
    ask: 'aggregates by 3 hours in a time zone with a partial-hour offset (Asia/Kolkata), later requests',
    how: 'Query of the rollups, the device, and Query of the readings of each divided hour',
    requests: '1 per page, 1 for the device, and 1 per divided hour (3)',
    expected: { GetItem: 1, Query: 4 },
    prepare: (services) => know(services, meter),
    run: (services) => buckets(services, meter, inKolkata),
    gives: 2,
  },
  {
    ask: 'aggregates of a room over a past hour, later requests: 2 devices',
    how: 'Query of the memberships, a Query per device; devices are cached for 5 s',
    requests: '1 + 1 per page of each device',
    expected: { Query: 3 },
    prepare: (services) => {
      const devices = sensorsOf('hillside').map((id) => `devices/${id}`);
      return Promise.all(devices.map((device) => buckets(services, device, lastHour)));
    },
    run: (services) => buckets(services, kitchen, lastHour),
    gives: 1,
  },
  {
    ask: 'percentiles over 6 past hours, first request',
    how: 'Query of rollups and of sketches, the device, Query of readings, and a PutItem of the sketches of each hour',
    requests: '3, 1 per page of readings, and 1 per hour',
    expected: { GetItem: 1, Query: 3, PutItem: 6 },
    prepare: (services) => know(services, meter),
    run: (services) => buckets(services, meter, percentiles),
    gives: 6,
  },
  {
    ask: 'the same, later requests',
    how: 'Query of rollups and of sketches, consistent; the device is cached for 5 s',
    requests: '2 per page',
    expected: { Query: 2 },
    prepare: (services) => know(services, meter),
    run: (services) => buckets(services, meter, percentiles),
    gives: 6,
  },
  {
    ask: 'aggregates of a place by room over a past hour, later requests: 5 devices in 2 rooms',
    how: "Query of each device's history in the index, and of its rollups; memberships and devices are cached for 5 s",
    requests: '1 + 1 per page, for each device',
    expected: { Query: 5, 'Query gsi1': 5 },
    prepare: (services) => buckets(services, 'places/hillside', lastHour),
    run: (services) => buckets(services, 'places/hillside', byRoom),
    gives: 2,
  },
];
