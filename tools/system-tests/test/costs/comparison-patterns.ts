import { day, hour, midnight } from './seed-table.ts';
import { lengthOf, range, search } from './pattern.ts';
import { seedHistory } from './seed-history.ts';
import type { Counts } from './cost.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Comparison, Pattern } from './pattern.ts';
import type { Wanderer } from './seed-history.ts';

/** Devices that differ in one respect; each alone at a place of its own, with the same readings of the last day. */
const subjects: Record<string, Wanderer> = {
  'new device': { name: 'new-one', moves: 2, stay: 2 * day },
  'after 3,000 moves': { name: 'wanderer', moves: 3000, stay: 29 * hour },
  'after 10 years': { name: 'decade', moves: 2, stay: 2 * day, olderDays: 3650 },
  'with 1,000 fields': { name: 'wide', moves: 2, stay: 2 * day, fields: 1000 },
};
const columns = Object.keys(subjects);

/** Requests before a later request is measured. */
const repeats = 4;

/** An access pattern, by the name of the device. */
interface Row {
  ask: string;
  run: (services: MeteredServices, name: string) => Promise<unknown>;
  gives: unknown;
  /** Where a page has fewer elements: it ends with its values or its bytes. */
  givesOwn?: Partial<Record<string, unknown>>;
  /** Requests by subject; the first one is that of all others without one of their own. */
  expected: readonly [Counts, Partial<Record<string, Counts>>?];
  /** Runs before the measured request: for later requests. */
  isRepeated?: boolean;
}

const lastDay = range(midnight - day, midnight);

const ofDevice = (list: string, parameters: Record<string, string | number>, items = 'items') => {
  return (services: MeteredServices, name: string) =>
    lengthOf(services, ['query', `/v1/devices/${name}/${list}?${search(parameters)}`], items);
};
const ofRoom = (path: string, parameters: Record<string, string | number> = {}) => {
  return (services: MeteredServices, name: string) =>
    lengthOf(services, ['query', `/v1/rooms/${name}/${path}?${search(parameters)}`], 'items');
};
const inRegistry = (path: (name: string) => string, list: string) => {
  return (services: MeteredServices, name: string) =>
    lengthOf(services, ['registry', path(name)], list);
};

async function move(services: MeteredServices, name: string): Promise<number> {
  const body = { room: 'living', since: new Date(midnight + hour).toISOString() };
  const path = `/v1/places/${name}/devices/${name}`;
  return (await services.ask('registry', path, { method: 'PUT', body })).status;
}

async function correct(services: MeteredServices, name: string): Promise<number> {
  const body = { operation: 'delete', from: midnight - hour, to: midnight, why: 'a spike' };
  const path = `/v1/devices/${name}/corrections/one`;
  return (await services.ask('registry', path, { method: 'PUT', body })).status;
}

const hourly = { ...lastDay, every: 'PT1H', fields: 'temperature' };

const rows: Row[] = [
  {
    ask: 'the latest 10 readings of a device',
    run: ofDevice('latest', { limit: 10 }, 'readings'),
    gives: 10,
    expected: [{ Query: 1 }],
  },
  {
    ask: 'its readings of a day: a page of 100',
    run: ofDevice('readings', { ...lastDay, limit: 100 }),
    gives: 100,
    givesOwn: { 'with 1,000 fields': 61 },
    expected: [{ GetItem: 1, Query: 1 }],
  },
  {
    ask: 'the same with one field',
    run: ofDevice('readings', { ...lastDay, limit: 100, fields: 'temperature' }),
    gives: 100,
    givesOwn: { 'with 1,000 fields': 61 },
    expected: [{ Query: 1 }],
  },
  {
    ask: 'the last value of one field of it',
    run: ofDevice('fields', { from: lastDay.from, fields: 'temperature' }, 'fields'),
    gives: 1,
    expected: [{ Query: 2 }],
  },
  {
    ask: 'aggregates of one field by the hour of a day, first request',
    run: ofDevice('aggregates', hourly),
    gives: 24,
    givesOwn: { 'with 1,000 fields': 14 },
    expected: [
      { GetItem: 1, Query: 2, TransactWriteItems: 1 },
      { 'with 1,000 fields': { GetItem: 1, Query: 3, TransactWriteItems: 1 } },
    ],
  },
  {
    ask: 'the same, later requests',
    run: ofDevice('aggregates', hourly),
    gives: 24,
    isRepeated: true,
    expected: [{ Query: 1 }, { 'with 1,000 fields': { Query: 2 } }],
  },
  {
    ask: 'the increase of one field by the hour of a day, later requests',
    run: ofDevice('aggregates', { ...hourly, fn: 'increase' }),
    gives: 24,
    isRepeated: true,
    expected: [
      { GetItem: 1, Query: 5 },
      { 'after 10 years': { Query: 1 }, 'with 1,000 fields': { GetItem: 1, Query: 6 } },
    ],
  },
  {
    ask: 'latest readings of the room where it is',
    run: ofRoom('bedroom/latest'),
    gives: 1,
    expected: [{ Query: 2 }],
  },
  {
    ask: 'latest readings of a room where it was',
    run: ofRoom('living/latest'),
    gives: 0,
    expected: [{ Query: 1 }, { 'after 3,000 moves': { Query: 2 } }],
  },
  {
    ask: 'aggregates of one field by the hour of a day of the place, later requests',
    run: (services, name) =>
      lengthOf(services, ['query', `/v1/places/${name}/aggregates?${search(hourly)}`], 'items'),
    gives: 24,
    isRepeated: true,
    expected: [{ Query: 1 }, { 'with 1,000 fields': { Query: 2 } }],
  },
  {
    ask: 'the place with its rooms and devices',
    run: inRegistry((name) => `/v1/places/${name}`, 'rooms'),
    gives: 3,
    expected: [{ Query: 1 }],
  },
  {
    ask: 'the 2 newest placements of the device',
    run: inRegistry((name) => `/v1/devices/${name}/placements?limit=2`, 'items'),
    gives: 2,
    expected: [{ GetItem: 1, 'Query gsi1': 1, Query: 1 }],
  },
  {
    ask: 'a correction of an hour',
    run: correct,
    gives: 201,
    expected: [{ GetItem: 2, TransactWriteItems: 1 }],
  },
  { ask: 'another move', run: move, gives: 200, expected: [{ GetItem: 1, TransactWriteItems: 2 }] },
];

function patternOf(row: Row, column: string): Pattern {
  const { ask, run, gives, givesOwn, expected, isRepeated } = row;
  const subject = subjects[column];
  if (subject === undefined) throw new Error(`there is no subject ${column}`);
  const { name } = subject;
  const isFirst = ask === rows[0]?.ask;
  const [usual, own] = expected;
  return {
    ask: `${ask}: ${column}`,
    how: '',
    requests: '',
    expected: own?.[column] ?? usual,
    prepare: async (services) => {
      if (isFirst) await seedHistory(services, subject);
      // On a busy machine, the first pages end with the time of a request, and store fewer rollups.
      const times = isRepeated === true ? repeats : 0;
      for (let time = 0; time < times; time++) await run(services, name);
    },
    run: (services) => run(services, name),
    gives: givesOwn?.[column] ?? gives,
  };
}

/** The cost of access patterns for devices with a long history, or many fields, beside that of a new device. */
export const comparison: Comparison = {
  columns,
  rows: rows.map((row) => {
    return { ask: row.ask, patterns: columns.map((column) => patternOf(row, column)) };
  }),
};
