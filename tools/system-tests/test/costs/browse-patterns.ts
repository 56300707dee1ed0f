import { devicePartition, deviceListPartition, deviceSeenPartition } from '@engawa/keys';
import { lengthOf, search } from './pattern.ts';
import { deviceId } from './seed-table.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

function items(
  services: MeteredServices,
  parameters: Record<string, string | number>,
): Promise<number> {
  return lengthOf(services, ['query', `/v1/table/items?${search(parameters)}`], 'items');
}

const pk = devicePartition(deviceId(0));

/** Requests of people who look into the table. */
export const browsePatterns: Pattern[] = [
  {
    ask: '100 items of a partition',
    how: 'Query of the partition',
    requests: '1',
    expected: { Query: 1 },
    run: (services) => items(services, { pk, order: 'desc', limit: 100 }),
    gives: 100,
  },
  {
    ask: 'one item by its key',
    how: 'Query of the key',
    requests: '1',
    expected: { Query: 1 },
    run: (services) => items(services, { pk, sk: pk }),
    gives: 1,
  },
  {
    ask: 'items of `gsi1` by the beginning of a name',
    how: 'Query of a prefix',
    requests: '1',
    expected: { 'Query gsi1': 1 },
    run: (services) =>
      items(services, { index: 'gsi1', pk: deviceListPartition(0), skPrefix: 'sensor', limit: 5 }),
    gives: 5,
  },
  {
    ask: 'items of `gsi2`',
    how: 'Query of the partition',
    requests: '1',
    expected: { 'Query gsi2': 1 },
    run: (services) => items(services, { index: 'gsi2', pk: deviceSeenPartition(0), limit: 5 }),
    gives: 5,
  },
  {
    ask: 'the price of such a request',
    how: 'no request',
    requests: '0',
    expected: {},
    run: (services) => items(services, { pk, dryRun: 'true' }),
    gives: 0,
  },
];
