import { day, deviceId, hour, midnight, scenes, sensorsOf } from './seed-table.ts';
import { lengthOf, range, search } from './pattern.ts';
import type { Scene } from './seed-table.ts';
import type { House } from './house.ts';
import type { Pattern } from './pattern.ts';

const [meter, climate, slow] = [deviceId(0), deviceId(1), deviceId(2)];
const fiveHours = range(midnight - 5 * hour, midnight);
const recent = { from: String(midnight - day) };
const lastHour = range(midnight - hour, midnight);

function readings(house: House, whose: string, question: Record<string, string>): Promise<number> {
  return lengthOf(house, ['query', `/v1/${whose}/readings?${search(question)}`], 'items');
}

function fields(house: House, whose: string, question: Record<string, string>): Promise<number> {
  return lengthOf(
    house,
    ['query', `/v1/${whose}/fields?${search({ ...recent, ...question })}`],
    'fields',
  );
}

function latest(house: House, path: string): Promise<number> {
  return lengthOf(house, ['query', path], 'items');
}

/** The query service believes for five seconds what it knows of them then. */
function know(house: House, scene: Scene): Promise<unknown> {
  return Promise.all(sensorsOf(scene).map((id) => readings(house, `devices/${id}`, lastHour)));
}

const sensors = scenes.flatMap(sensorsOf);
const many = sensors.map((id) => `device=${id}`).join('&');

/** What is asked for readings as they were taken. */
export const readingPatterns: Pattern[] = [
  {
    ask: 'a device and its latest 100 readings',
    how: 'Query of its partition, descending',
    requests: '1',
    expected: { Query: 1 },
    run: (house) => lengthOf(house, ['query', `/v1/devices/${meter}/latest?limit=100`], 'readings'),
    gives: 100,
  },
  {
    ask: `the latest 10 readings of ${sensors.length} devices`,
    how: 'the same for each',
    requests: 'devices',
    expected: { Query: sensors.length },
    run: (house) => latest(house, `/v1/latest?${many}&readings=10`),
    gives: sensors.length,
  },
  {
    ask: "a device's readings from t1 to t2, a page of 100, single ones",
    how: 'Query with the sort key between; the device itself, which was not asked for in the last 5 s',
    requests: '1 a page, and 1 for the device',
    expected: { GetItem: 1, Query: 1 },
    run: (house) => readings(house, `devices/${meter}`, fiveHours),
    gives: 100,
  },
  {
    ask: 'the same, asked again within 5 s',
    how: 'Query with the sort key between',
    requests: '1 a page',
    expected: { Query: 1 },
    prepare: (house) => readings(house, `devices/${meter}`, fiveHours),
    run: (house) => readings(house, `devices/${meter}`, fiveHours),
    gives: 100,
  },
  {
    ask: 'the same of readings that share blocks, 61 in each',
    how: 'Query with the sort key between, further by the longest span of its blocks',
    requests: '1 a page',
    expected: { Query: 1 },
    prepare: (house) => readings(house, `devices/${climate}`, lastHour),
    run: (house) => readings(house, `devices/${climate}`, range(midnight - 2 * hour, midnight)),
    gives: 100,
  },
  {
    ask: 'the same of readings that share blocks, 7 in each',
    how: 'the same, and once more for what the first ones lacked: as many blocks are asked for as 16 in each would take',
    requests: '1 a page, and 1 more where 16 in each was too high a guess',
    expected: { Query: 2 },
    prepare: (house) => readings(house, `devices/${slow}`, lastHour),
    run: (house) => readings(house, `devices/${slow}`, range(midnight - 40 * hour, midnight)),
    gives: 100,
  },
  {
    ask: "a room's readings from t1 to t2: 3 devices, and one that moved away",
    how: 'Query of its memberships, then a Query each, merged; devices known for less than 5 s',
    requests: '1 + devices',
    expected: { Query: 5 },
    prepare: (house) => know(house, 'lakeside'),
    run: (house) => readings(house, 'rooms/lakeside/living', lastHour),
    // Of the one that moved away half of its ten.
    gives: 35,
  },
  {
    ask: "a place's readings from t1 to t2: 6 devices",
    how: 'Query of its memberships, then a Query each, merged; devices known for less than 5 s',
    requests: '1 + devices',
    expected: { Query: 7 },
    prepare: (house) => know(house, 'lakeside'),
    run: (house) => readings(house, 'places/lakeside', lastHour),
    gives: 60,
  },
  {
    ask: 'the latest of a room: 3 devices',
    how: 'Query of its memberships, then a Query each',
    requests: '1 + devices',
    expected: { Query: 4 },
    run: (house) => latest(house, '/v1/rooms/hillside/living/latest?readings=3'),
    gives: 3,
  },
  {
    ask: 'the latest of a place: 5 devices',
    how: 'Query of its memberships, then a Query each',
    requests: '1 + devices',
    expected: { Query: 6 },
    run: (house) => latest(house, '/v1/places/hillside/latest?readings=3'),
    gives: 5,
  },
  {
    ask: 'the last value of a field that the newest reading has, and when it was first reported',
    how: 'Query of its partition each way; device known for less than 5 s',
    requests: '2',
    expected: { Query: 2 },
    prepare: (house) => readings(house, `devices/${meter}`, fiveHours),
    run: (house) => fields(house, `devices/${meter}`, { fields: 'temperature' }),
    gives: 1,
  },
  {
    ask: 'the last values of all fields of a device in 5 hours: 300 single readings',
    how: 'Query of its partition, and one for each 1,000 readings behind the newest 10; one the other way for when they were first reported; device known for less than 5 s',
    requests: '2, and 1 for 1,000 readings',
    expected: { Query: 3 },
    prepare: (house) => readings(house, `devices/${meter}`, fiveHours),
    run: (house) => fields(house, `devices/${meter}`, { from: String(midnight - 5 * hour) }),
    gives: 1,
  },
  {
    ask: "the last value of a field of a place's 5 devices",
    how: 'a Query each; who is there and the devices known for less than 5 s',
    requests: 'devices, and 1 for who is there',
    expected: { Query: 5 },
    prepare: async (house) => {
      await know(house, 'hillside');
      await latest(house, '/v1/places/hillside/latest');
    },
    run: (house) => {
      const question = search({ ...recent, fields: 'temperature' });
      return lengthOf(house, ['query', `/v1/places/hillside/fields?${question}`], 'items');
    },
    gives: 5,
  },
];
