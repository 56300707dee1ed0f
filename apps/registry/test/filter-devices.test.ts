import { RequestBudget, allPlaces } from '@engawa/http';
import { collated, compareBytes } from '@engawa/keys';
import { deviceItem, keyOf, placeItem, placementItem } from '@engawa/model';
import { fixedShards } from '@engawa/table';
import { aDevice, openBeforeAll, randomFrom } from '@engawa/testing';
import { DeviceStore } from '../src/devices/device-store.ts';
import { DeviceCache } from '../src/devices/device-cache.ts';
import { startTable } from './table.ts';
import type { Places } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { DeviceFilter } from '../src/devices/device-filter.ts';

const { signal } = new AbortController();
const shards = { list: 2, seen: 2 };
const start = Date.UTC(2026, 10, 20);

const random = randomFrom(46);
const pick = <Choice>(choices: readonly Choice[]): Choice =>
  choices[Math.floor(random() * choices.length)] as Choice;

const places = ['home', 'flat', 'tower'];
const rooms = ['hall', 'bath', undefined];
const keys = ['floor', 'constructor', 'engawa.dev/zone'];
const values = ['1', '2', ''];

/** One in two is placed; most of those in the tower. */
function aRandomDevice(index: number): Device {
  const place = random() < 0.5 ? pick(['home', 'flat', 'tower', 'tower', 'tower']) : undefined;
  const room = place === undefined ? undefined : pick(rooms);
  const labels = Object.fromEntries(
    keys.filter(() => random() < 0.5).map((key) => [key, pick(values)]),
  );
  return aDevice({
    id: `device-${index}`,
    name: `${pick(['Lamp', 'ｌａｍｐ', 'lamp#', '居間', '😀'])} ${index % 7}`,
    kind: pick(['meter', 'climate', 'contact']),
    status: random() < 0.1 ? 'pending' : 'active',
    lastSeenAt: start + Math.floor(random() * 10) * 3_600_000,
    ...(place !== undefined && { place, since: start }),
    ...(room !== undefined && { room }),
    ...(Object.keys(labels).length > 0 && { labels }),
  });
}

const devices = Array.from({ length: 120 }, (_, index) => aRandomDevice(index));

interface ListQuery {
  filter: DeviceFilter;
  namePrefix: string | undefined;
  order: 'name' | 'lastSeen' | '-lastSeen';
  places: Places;
}

function aListQuery(): ListQuery {
  const perhaps = <Choice>(choices: readonly Choice[]) =>
    random() < 0.4 ? pick(choices) : undefined;
  const place = perhaps([...places, 'nowhere']);
  const label = keys
    .filter(() => random() < 0.25)
    .map((key) => ({ key, ...(random() < 0.7 && { value: pick(values) }) }));
  const order = pick(['name', 'name', 'lastSeen', '-lastSeen'] as const);
  const own = pick(places);
  return {
    filter: {
      status: perhaps(['active', 'pending'] as const),
      kind: perhaps(['meter', 'contact'] as const),
      place,
      room: place === undefined ? undefined : perhaps(['hall', 'bath']),
      ...(label.length > 0 && { label }),
    },
    namePrefix: order === 'name' ? perhaps(['lamp', 'LAMP#', '居']) : undefined,
    order,
    places: random() < 0.3 ? { isRestricted: true, allows: (place) => place === own } : allPlaces,
  };
}

/** By going through all of them. */
function expected({ filter, namePrefix, order, places }: ListQuery): string[] {
  const { status, kind, place, room, label = [] } = filter;
  const sortKey = ({ name, lastSeenAt, id }: Device) =>
    order === 'name' ? `${collated('name', name)}\u0000${id}` : `${lastSeenAt}\u0000${id}`;
  const found = devices.filter(
    (device) =>
      (status === undefined || device.status === status) &&
      (kind === undefined || device.kind === kind) &&
      (place === undefined || device.place === place) &&
      (room === undefined || device.room === room) &&
      places.allows(device.place) &&
      collated('name', device.name).startsWith(collated('name', namePrefix ?? '')) &&
      label.every(({ key, value }) => {
        const entry = Object.entries(device.labels ?? {}).find(([name]) => name === key);
        return entry !== undefined && (value === undefined || entry[1] === value);
      }),
  );
  found.sort((one, other) => compareBytes(sortKey(one), sortKey(other)));
  return (order === '-lastSeen' ? found.toReversed() : found).map(({ id }) => id);
}

it('a place of more devices than a Query gives is read whole, and sorted as one', async () => {
  const started = await startTable();
  const { table } = started;
  const place = { id: 'mall', name: 'Mall', registeredAt: start, version: 1 };
  await table.put({ ...placeItem(place, 1) });
  // By name the other way round than by id.
  const many = Array.from({ length: 1100 }, (_, index) =>
    aDevice({ id: `d${5000 + index}`, name: `n${5000 - index}`, place: 'mall', since: start }),
  );
  const writer = table.batchWriter();
  const writes = many.flatMap((device) => {
    const { id, name, kind } = device;
    const placement = { place: 'mall', device: id, since: start, name, kind };
    return [deviceItem(device), placementItem(placement)].map((item) =>
      writer.put({ ...item, ...keyOf(item) }),
    );
  });
  await Promise.all(writes);
  writer.close();
  const known = new DeviceCache();
  const store = new DeviceStore({ table, shards: fixedShards(1), known, quiescenceMs: 0 });
  const found: string[] = [];
  let after: string | undefined;
  do {
    const budget = new RequestBudget({ deadlineMs: 60_000, maxUnits: 10_000 });
    const page = await store.list({ ...inMall, limit: 600, after, budget, signal });
    found.push(...page.rows.map(({ item }) => item.id));
    after = page.after;
  } while (after !== undefined);
  expect(found).toEqual(many.map(({ id }) => id).toReversed());
  await started.close();
});

const inMall = { filter: { place: 'mall' } };

/** The first lets every place be read by itself, the second none: then the list of all devices is. */
describe.each([
  ['of their place', { named: 1000, seen: 1000 }],
  ['of all devices', { named: 2, seen: 2 }],
])('filtered devices, from the list %s', (_what, maxPlaced) => {
  const started = openBeforeAll(startTable);
  let store: DeviceStore;

  beforeAll(async () => {
    const { table } = started;
    const known = new DeviceCache();
    store = new DeviceStore({ table, shards: fixedShards(2), known, quiescenceMs: 0, maxPlaced });
    for (const id of places) {
      const place = { id, name: id, registeredAt: start, version: 1 };
      await table.put({ ...placeItem(place, 1) });
    }
    for (const device of devices) {
      await table.put({ ...deviceItem(device, shards) });
      const { id, name, kind, place, room } = device;
      if (place === undefined) continue;
      const placement = { place, device: id, room, since: start, name, kind };
      await table.put({ ...placementItem(placement) });
    }
  });

  /** All pages, and how many there were. */
  async function walk({ order, ...question }: ListQuery, limit: number, units: number) {
    const found: string[] = [];
    let after: string | undefined;
    let pages = 0;
    do {
      const asked = { ...question, limit, after, signal };
      const budget = new RequestBudget({ deadlineMs: 60_000, maxUnits: units });
      const page =
        order === 'name'
          ? await store.list({ ...asked, budget })
          : await store.listBySeen({ ...asked, newestFirst: order === '-lastSeen', budget });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      found.push(...page.rows.map((row) => ('item' in row ? row.item.id : row.device.id)));
      after = page.after;
      pages += 1;
    } while (after !== undefined);
    return { found, pages };
  }

  it('equal a plain filter, in order, for all page sizes and budgets', async () => {
    let hits = 0;
    for (let asked = 0; asked < 60; asked++) {
      const question = aListQuery();
      const [limit, units] = [pick([2, 7, 20, 1000]), pick([0.1, 5, 1000])];
      const wanted = expected(question);
      const { found, pages } = await walk(question, limit, units);
      expect([question, limit, units, found]).toEqual([question, limit, units, wanted]);
      // Each page reads on for as long as it may.
      if (units === 1000) expect(pages).toBeLessThanOrEqual(Math.floor(wanted.length / limit) + 1);
      hits += wanted.length;
    }
    expect(hits).toBeGreaterThan(60);
  });

  it('apply to silent devices', async () => {
    const filter: DeviceFilter = { place: 'tower', label: [{ key: 'floor' }] };
    const before = start + 5 * 3_600_000;
    const found: string[] = [];
    let after: string | undefined;
    do {
      const budget = new RequestBudget({ deadlineMs: 60_000, maxUnits: 1000 });
      const page = await store.listSilent({ filter, before, limit: 2, after, budget, signal });
      found.push(...page.rows.map(({ device }) => device.id));
      after = page.after;
    } while (after !== undefined);
    const order = 'lastSeen' as const;
    const wanted = expected({ filter, order, namePrefix: undefined, places: allPlaces });
    const silent = new Set(devices.filter((one) => one.lastSeenAt < before).map(({ id }) => id));
    expect(found).toEqual(wanted.filter((id) => silent.has(id)));
    expect(found.length).toBeGreaterThan(2);
  });
});
