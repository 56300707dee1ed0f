import { deviceItem } from '@engawa/model';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { total } from './cost.ts';
import { midnight } from './seed-table.ts';
import { MeteredServices } from './metered-services.ts';
import { search } from './pattern.ts';
import type { Cost } from './cost.ts';

/**
 * Number of devices that match no filter, and the maximum cost of reading their whole list in read
 * units and Queries.
 */
const sizes = [
  { devices: 20, units: 1.5, queries: 2 },
  { devices: 2000, units: 90, queries: 6 },
];

/** In addition: one device per status and label, in the middle of the lists by name and by last seen. */
const wanted = aDevice({
  id: 'wanted',
  name: 'Sensor 1x',
  status: 'pending',
  lastSeenAt: midnight,
  registeredAt: midnight,
  labels: { floor: '2', 'engawa.dev/zone': 'wet', owner: 'tanaka' },
});

describe.each(sizes)('filters of a list of $devices devices', ({ devices, units, queries }) => {
  const services = openBeforeAll(() =>
    MeteredServices.start({
      readings: 500,
      devices,
      places: 10,
      deadLetters: 20,
    }),
  );
  beforeAll(() => services.table.put(deviceItem(wanted, { list: 1, seen: 1 })));

  /** Of all pages. */
  async function costOf(filter: Record<string, string>): Promise<{ found: string[]; cost: Cost }> {
    const { result, cost } = await services.costOf({}, async () => {
      const found: string[] = [];
      let cursor: unknown;
      do {
        const asked = { ...filter, ...(typeof cursor === 'string' && { cursor }) };
        const { body } = await services.ask('registry', `/v1/devices?${search(asked)}`);
        found.push(...(body['items'] as { id: string }[]).map(({ id }) => id));
        cursor = body['cursor'];
      } while (cursor !== undefined);
      return found;
    });
    return { found: result, cost };
  }

  it.each([
    [{ status: 'pending' }],
    [{ label: 'floor=2' }],
    [{ label: 'owner', status: 'pending', limit: '1000' }],
    [{ label: 'floor=2', order: '-lastSeen' }],
  ])('a rare value is found by reading all index rows: %j', async (filter) => {
    const { found, cost } = await costOf(filter);
    expect(found).toEqual(['wanted']);
    // The list by last seen contains whole devices, which is about as much without metadata.
    expect(total(cost.read)).toBeLessThanOrEqual(units);
    expect(total(cost.requests)).toBeLessThanOrEqual(queries);
    process.stdout.write(`${devices} devices, ${search(filter)}: ${JSON.stringify(cost)}\n`);
  });

  it('devices of a place cost its placements and devices, for any table size', async () => {
    for (const order of ['name', 'lastSeen']) {
      const { found, cost } = await costOf({ place: 'old-town', order });
      expect(found).toHaveLength(6);
      expect(cost).toEqual({
        requests: { BatchGetItem: 1, Query: 1 },
        read: { table: 4 },
        written: {},
      });
    }
  });
});
