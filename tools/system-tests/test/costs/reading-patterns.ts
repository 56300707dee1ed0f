import { day, deviceId, hour, midnight, queriedPlaces, sensorsOf } from './seed-table.ts';
import { lengthOf, range, search } from './pattern.ts';
import type { QueriedPlace } from './seed-table.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

const [meter, climate, slow] = [deviceId(0), deviceId(1), deviceId(2)];
const fiveHours = range(midnight - 5 * hour, midnight);
const recent = { from: String(midnight - day) };
const lastHour = range(midnight - hour, midnight);

function readings(
  services: MeteredServices,
  whose: string,
  question: Record<string, string>,
): Promise<number> {
  return lengthOf(services, ['query', `/v1/${whose}/readings?${search(question)}`], 'items');
}

function fields(
  services: MeteredServices,
  whose: string,
  question: Record<string, string>,
): Promise<number> {
  return lengthOf(
    services,
    ['query', `/v1/${whose}/fields?${search({ ...recent, ...question })}`],
    'fields',
  );
}

function latest(services: MeteredServices, path: string): Promise<number> {
  return lengthOf(services, ['query', path], 'items');
}

/** Afterwards the query service caches them for five seconds. */
function know(services: MeteredServices, place: QueriedPlace): Promise<unknown> {
  return Promise.all(sensorsOf(place).map((id) => readings(services, `devices/${id}`, lastHour)));
}

const sensors = queriedPlaces.flatMap(sensorsOf);
const many = sensors.map((id) => `device=${id}`).join('&');

/** Queries of raw readings. */
export const readingPatterns: Pattern[] = [
  {
    ask: 'a device and its latest 100 readings',
    how: 'Query of its partition, descending',
    requests: '1',
    expected: { Query: 1 },
    run: (services) =>
      lengthOf(services, ['query', `/v1/devices/${meter}/latest?limit=100`], 'readings'),
    gives: 100,
  },
  {
    ask: `the latest 10 readings of ${sensors.length} devices`,
    how: 'Query of each partition, descending',
    requests: 'devices',
    expected: { Query: sensors.length },
    run: (services) => latest(services, `/v1/latest?${many}&readings=10`),
    gives: sensors.length,
  },
  {
    ask: 'readings of a device in a time range, a page of 100, one per block',
    how: 'Query of a key range; GetItem of the device, which is not cached',
    requests: '1 per page, and 1 for the device',
    expected: { GetItem: 1, Query: 1 },
    run: (services) => readings(services, `devices/${meter}`, fiveHours),
    gives: 100,
  },
  {
    ask: 'the same, repeated within 5 s',
    how: 'Query of a key range',
    requests: '1 per page',
    expected: { Query: 1 },
    prepare: (services) => readings(services, `devices/${meter}`, fiveHours),
    run: (services) => readings(services, `devices/${meter}`, fiveHours),
    gives: 100,
  },
  {
    ask: 'the same, 61 readings per block',
    how: "Query of a key range, extended by the longest span of the device's blocks",
    requests: '1 per page',
    expected: { Query: 1 },
    prepare: (services) => readings(services, `devices/${climate}`, lastHour),
    run: (services) =>
      readings(services, `devices/${climate}`, range(midnight - 2 * hour, midnight)),
    gives: 100,
  },
  {
    ask: 'the same, 7 readings per block',
    how: 'the same, and another Query for the missing readings: the first one assumes 16 readings per block',
    requests: '1 per page, and 1 more if 16 per block was too high',
    expected: { Query: 2 },
    prepare: (services) => readings(services, `devices/${slow}`, lastHour),
    run: (services) => readings(services, `devices/${slow}`, range(midnight - 40 * hour, midnight)),
    gives: 100,
  },
  {
    ask: 'readings of a room in a time range: 3 devices, and a former one',
    how: 'Query of the memberships, a Query per device, merged; devices are cached for 5 s',
    requests: '1 + devices',
    expected: { Query: 5 },
    prepare: (services) => know(services, 'lakeside'),
    run: (services) => readings(services, 'rooms/lakeside/living', lastHour),
    // Five of the ten readings of the device that moved away.
    gives: 35,
  },
  {
    ask: 'readings of a place in a time range: 6 devices',
    how: 'Query of the memberships, a Query per device, merged; devices are cached for 5 s',
    requests: '1 + devices',
    expected: { Query: 7 },
    prepare: (services) => know(services, 'lakeside'),
    run: (services) => readings(services, 'places/lakeside', lastHour),
    gives: 60,
  },
  {
    ask: 'latest readings of a room: 3 devices',
    how: 'Query of the memberships, a Query per device',
    requests: '1 + devices',
    expected: { Query: 4 },
    run: (services) => latest(services, '/v1/rooms/hillside/living/latest?readings=3'),
    gives: 3,
  },
  {
    ask: 'latest readings of a place: 5 devices',
    how: 'Query of the memberships, a Query per device',
    requests: '1 + devices',
    expected: { Query: 6 },
    run: (services) => latest(services, '/v1/places/hillside/latest?readings=3'),
    gives: 5,
  },
  {
    ask: 'last value of a field of the newest reading, and the time of its first report',
    how: 'Query of its partition in both directions; the device is cached for 5 s',
    requests: '2',
    expected: { Query: 2 },
    prepare: (services) => readings(services, `devices/${meter}`, fiveHours),
    run: (services) => fields(services, `devices/${meter}`, { fields: 'temperature' }),
    gives: 1,
  },
  {
    ask: 'last values of all fields of a device in 5 hours: 300 readings, one per block',
    how: 'Query of its partition, one per 1,000 readings before the newest 10, one in the other direction for the first reports; the device is cached for 5 s',
    requests: '2, and 1 per 1,000 readings',
    expected: { Query: 3 },
    prepare: (services) => readings(services, `devices/${meter}`, fiveHours),
    run: (services) => fields(services, `devices/${meter}`, { from: String(midnight - 5 * hour) }),
    gives: 1,
  },
  {
    ask: "last value of a field of a place's 5 devices",
    how: 'a Query per device; memberships and devices are cached for 5 s',
    requests: 'devices, and 1 for the memberships',
    expected: { Query: 5 },
    prepare: async (services) => {
      await know(services, 'hillside');
      await latest(services, '/v1/places/hillside/latest');
    },
    run: (services) => {
      const question = search({ ...recent, fields: 'temperature' });
      return lengthOf(services, ['query', `/v1/places/hillside/fields?${question}`], 'items');
    },
    gives: 5,
  },
];
