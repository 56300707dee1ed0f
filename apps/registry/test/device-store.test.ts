import { deviceItem } from '@engawa/model';
import { DeviceStore } from '../src/device-store.ts';
import { aDevice } from '@engawa/testing';
import { startTable } from './table.ts';
import type { StartedTable } from './table.ts';

describe('a list of several shards', () => {
  let started: StartedTable;
  beforeAll(async () => (started = await startTable()));
  afterAll(() => started.close());

  it.each([2, 4])(
    'of %d is walked in order, each device once, over empty shards too',
    async (list) => {
      const shards = { list, seen: 1 };
      const names = ['Attic', 'bath', 'Cellar', '居間', '\ue000', '😀', '🚪'].map(
        (name) => `${list} ${name}`,
      );
      const devices = names.map((name) => aDevice({ id: `of ${name}`, name }));
      await Promise.all(devices.map((device) => started.table.put(deviceItem(device, shards))));
      const store = new DeviceStore({ table: started.table, shards: () => shards });
      const { signal } = new AbortController();
      for (const limit of [1, 2, 3]) {
        const found: string[] = [];
        let after: string | undefined;
        do {
          const page = await store.list({ namePrefix: `${list} `, limit, after, signal });
          found.push(...page.rows.map(({ device }) => device.name));
          after = page.after;
        } while (after !== undefined);
        expect(found).toEqual(names);
      }
    },
  );
});
