import { isDeepStrictEqual } from 'node:util';
import { allPages } from '../../oracles/pages.ts';
import { labelFilters, namePrefixes } from './descriptions.ts';
import type { ActorContext } from '../actor.ts';
import type { Gadget } from './gadget.ts';
import type { Home } from './home.ts';
import { without } from './resource.ts';
import type { Content, Resource } from './resource.ts';

type ListRow = Readonly<Record<string, unknown>>;

/** An expected row of a list by name. */
interface ExpectedRow {
  /** Ids that order rows with the same name. */
  ids: readonly string[];
  thing: Resource;
  content: Content;
}

interface Filter {
  /** Query parameters. */
  query: string;
  includes: (listed: ExpectedRow) => boolean;
}

interface NameList {
  path: string;
  listed: readonly ExpectedRow[];
  idsOf: (row: ListRow) => readonly string[];
  filters: readonly Filter[];
}

const limit = { from: 1, to: 12 };
/** Number of filters that a check draws, to limit its duration. */
const filtersOfList = 4;
const everything: Filter = { query: '', includes: () => true };

/** Compares the lists of places, rooms and devices, with and without filters, with the expected ones. */
export async function violationsOfLists(
  context: ActorContext,
  homes: readonly Home[],
  gadgets: readonly Gadget[],
): Promise<string[]> {
  const places = homes.flatMap(({ id, place }) => listed(place, [id]));
  const rooms = homes.flatMap(({ id, rooms }) =>
    [...rooms].flatMap(([room, thing]) => listed(thing, [id, room])),
  );
  const devices = gadgets.flatMap(({ id, thing }) => listed(thing, [id]));
  const ofId = (row: ListRow) => [String(row['id'])];
  const ofRoom = (row: ListRow) => [String(row['place']), String(row['id'])];
  const filters = [...nameFilters, ...labelFiltersOf()];
  const ofDevices = [...filters, ...deviceFilters(homes, gadgets)];
  const lists: NameList[] = [
    { path: '/v1/places', listed: places, idsOf: ofId, filters },
    { path: '/v1/rooms', listed: rooms, idsOf: ofRoom, filters },
    { path: '/v1/devices', listed: devices, idsOf: ofId, filters: ofDevices },
  ];
  const violations: string[] = [];
  for (const list of lists) {
    const drawn = Array.from({ length: filtersOfList }, () => context.random.pick(list.filters));
    for (const filter of [everything, ...new Set(drawn)]) {
      violations.push(...(await violationsOfList(context, list, filter)));
    }
  }
  return [...violations, ...(await violationsOfSeenLists(context, gadgets))];
}

function listed(thing: Resource, ids: readonly string[]): ExpectedRow[] {
  return thing.incarnation === undefined
    ? []
    : [{ ids, thing, content: thing.incarnation.content }];
}

async function violationsOfList(
  context: ActorContext,
  { path, listed, idsOf }: NameList,
  { query, includes }: Filter,
): Promise<string[]> {
  const list = `${path}?${query}`;
  const all = (await allPages<ListRow>(context, { service: 'registry', path: list, limit })) ?? [];
  // The lists also contain the devices of the household.
  const rows = all.filter((row) => !/device\d/.test(String(row['id'])));
  const wanted = listed.filter(includes).toSorted(byName);
  const shown = rows.map((row) => idsOf(row).join('/'));
  const expected = wanted.map(({ ids }) => ids.join('/'));
  if (!isDeepStrictEqual(shown, expected)) {
    return [`GET ${list}: ${shown.join(' ')} instead of ${expected.join(' ')}`];
  }
  return wanted.flatMap(({ thing, content }, index) => {
    const row = rows[index] ?? {};
    if (isDeepStrictEqual(withoutMetadata(thing.contentOf(row)), withoutMetadata(content)))
      return [];
    return [`GET ${list}: ${JSON.stringify(row)} instead of ${JSON.stringify(content)}`];
  });
}

/** Checks lists by the time of a device's last message: times are sorted, and each device is listed once. */
async function violationsOfSeenLists(
  context: ActorContext,
  gadgets: readonly Gadget[],
): Promise<string[]> {
  const violations: string[] = [];
  const wanted = gadgets.flatMap(({ id, thing }) => (thing.incarnation === undefined ? [] : [id]));
  for (const order of ['lastSeen', '-lastSeen']) {
    const path = `/v1/devices?order=${order}`;
    const rows = (await allPages<ListRow>(context, { service: 'registry', path, limit })) ?? [];
    const own = rows.filter((row) => !/device\d/.test(String(row['id'])));
    const ids = own.map((row) => String(row['id'])).toSorted();
    if (ids.join() !== wanted.toSorted().join()) {
      violations.push(`GET ${path}: ${ids.join()} instead of ${wanted.toSorted().join()}`);
    }
    const times = rows.map((row) => (row['lastSeenAt'] as string | undefined) ?? '');
    const sorted = order === 'lastSeen' ? times.toSorted() : times.toSorted().toReversed();
    if (times.join() !== sorted.join()) violations.push(`GET ${path}: wrong order ${times.join()}`);
  }
  return violations;
}

const nameFilters = namePrefixes.map((prefix): Filter => {
  const includes = ({ content }: ExpectedRow) => collated(content).startsWith(prefix.toLowerCase());
  return { query: `namePrefix=${encodeURIComponent(prefix)}`, includes };
});

function labelFiltersOf(): Filter[] {
  return labelFilters.map((filter) => {
    const [label = '', wanted] = filter.split('=');
    const includes = ({ content }: ExpectedRow) => {
      const value = ((content['labels'] ?? {}) as Readonly<Record<string, string>>)[label];
      return wanted === undefined ? value !== undefined : value === wanted;
    };
    return { query: `label=${encodeURIComponent(filter)}`, includes };
  });
}

function deviceFilters(homes: readonly Home[], gadgets: readonly Gadget[]): Filter[] {
  const locationOf = ({ thing }: ExpectedRow) =>
    gadgets.find((gadget) => gadget.thing === thing)?.memberships.location;
  const isField = (name: string, value: string): Filter => ({
    query: `${name}=${value}`,
    includes: ({ content }) => content[name] === value,
  });
  const ofPlaces = homes.map(({ id }) => ({
    query: `place=${id}`,
    includes: (listed: ExpectedRow) => locationOf(listed)?.place === id,
  }));
  const ofRooms = homes.map(({ id }) => ({
    query: `place=${id}&room=hall`,
    includes: (listed: ExpectedRow) => {
      const location = locationOf(listed);
      return location?.place === id && location.room === 'hall';
    },
  }));
  return [isField('status', 'pending'), isField('kind', 'meter'), ...ofPlaces, ...ofRooms];
}

const withoutMetadata = (content: Content) => without(content, 'metadata');

/** The collation key of a name; all names are ASCII. */
const collated = (content: Content) => String(content['name']).toLowerCase();

function byName(one: ExpectedRow, other: ExpectedRow): number {
  const left = [collated(one.content), ...one.ids];
  const right = [collated(other.content), ...other.ids];
  const index = left.findIndex((part, position) => part !== right[position]);
  if (index === -1) return 0;
  return (left[index] ?? '') < (right[index] ?? '') ? -1 : 1;
}
