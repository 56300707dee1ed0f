import { RequestBudget, allPlaces } from '@engawa/http';
import { deviceItem } from '@engawa/model';
import { fixedShards } from '@engawa/table';
import { DeviceStore } from '../src/devices/device-store.ts';
import { DeviceCache } from '../src/devices/device-cache.ts';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { startTable } from './table.ts';

/** The pages of a list, one after the other. */
async function walk<Page extends { after?: string | undefined }>(
  read: (after: string | undefined) => Promise<Page>,
): Promise<Page[]> {
  const pages = [await read(undefined)];
  for (let after = pages[0]?.after; after !== undefined; after = pages.at(-1)?.after) {
    pages.push(await read(after));
  }
  return pages;
}

const { signal } = new AbortController();

function means(units = 1000) {
  return { budget: new RequestBudget({ deadlineMs: 60_000, maxUnits: units }), signal };
}

describe.each([2, 4])('a list of %d shards', (count) => {
  const started = openBeforeAll(startTable);
  let store: DeviceStore;
  const shards = { list: count, seen: count };
  const names = ['Attic', 'bath', 'Cellar', '居間', '\ue000', '😀', '🚪'];

  beforeAll(async () => {
    const { table } = started;
    store = new DeviceStore({
      table,
      shards: fixedShards(count),
      known: new DeviceCache(),
      quiescenceMs: 0,
    });
    const devices = names.map((name, hour) => {
      const lastSeenAt = Date.UTC(2026, 10, 20, hour);
      return aDevice({ id: `of ${name}`, name, lastSeenAt });
    });
    await Promise.all(devices.map((device) => table.put(deviceItem(device, shards))));
  });

  it.each([1, 2, 3])('is walked by name, each device once, in pages of %d', async (limit) => {
    const pages = await walk((after) => store.list({ limit, after, ...means() }));
    expect(pages.flatMap(({ rows }) => rows.map(({ item }) => item.name))).toEqual(names);
  });

  it.each([
    [1, false],
    [2, true],
    [3, true],
    [3, false],
  ])('is walked by last seen, in pages of %d, newest first: %j', async (limit, newestFirst) => {
    const pages = await walk((after) =>
      store.listBySeen({ limit, after, newestFirst, ...means() }),
    );
    const found = pages.flatMap(({ rows }) => rows.map(({ device }) => device.name));
    expect(found).toEqual(newestFirst ? names.toReversed() : names);
  });

  it('lists each silent device once, also with the smallest page budget', async () => {
    const before = Date.UTC(2026, 10, 20, 5);
    const pages = await walk((after) =>
      store.listSilent({ before, places: allPlaces, limit: 3, after, ...means(0.1) }),
    );
    const found = pages.flatMap(({ rows }) => rows.map(({ device }) => device.name));
    expect(found).toEqual(names.slice(0, 5));
  });
});
