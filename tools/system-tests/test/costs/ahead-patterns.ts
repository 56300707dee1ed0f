import { deviceKey } from '@engawa/keys';
import { blockItem, deviceItem } from '@engawa/model';
import { aDevice } from '@engawa/testing';
import { hour, minute } from './seed-table.ts';
import { lengthOf } from './pattern.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

/** The service compares receipts with the current time. */
const now = Date.now();
const aheadMs = 8 * hour;

interface Clock {
  /** When the clock was set right; the readings before are ahead. */
  setAt: number;
  /** When the device sent its last reading. */
  silentSince: number;
}

/** A reading a minute over twelve hours, each in a block of its own. The device is in no list. */
async function seed(services: MeteredServices, id: string, clock: Clock): Promise<void> {
  const { setAt, silentSince } = clock;
  const writer = services.table.batchWriter();
  const puts: Promise<void>[] = [];
  for (let sequence = 0; sequence < 720; sequence++) {
    const receivedAt = silentSince - sequence * minute;
    const isAhead = receivedAt < setAt;
    const time = receivedAt + (isAhead ? aheadMs : 0);
    const readings = [{ time, fields: { temperature: 21.5 } }];
    const receipt = { receivedAt, isAhead, origin: 'cost', sequence };
    puts.push(writer.put({ ...blockItem({ device: id, readings, receipt }) }));
  }
  const clockAhead = { readings: 1, ms: aheadMs, at: Math.min(setAt, silentSince) };
  const device = aDevice({ id, lastSeenAt: silentSince - minute, clockAhead });
  puts.push(writer.put({ ...deviceItem(device), ...deviceKey(id) }));
  await Promise.all(puts);
  writer.close();
}

function latest(services: MeteredServices, id: string): Promise<number> {
  return lengthOf(services, ['query', `/v1/devices/${id}/latest`], 'readings');
}

const [wrong, right, silent] = ['ahead', 'set-right', 'silent'] as const;

/** Queries of devices whose readings are, or were, ahead of their receipt. */
export const aheadPatterns: Pattern[] = [
  {
    ask: 'the latest reading of a device whose readings are all 8 h ahead of their receipt',
    how: 'Query of its partition, descending; of the next 10 readings; of those since the last receipt',
    requests: 'at most 6 per shard, see above',
    expected: { Query: 3 },
    prepare: (services) => seed(services, wrong, { setAt: now + hour, silentSince: now }),
    run: (services) => latest(services, wrong),
    gives: 1,
  },
  {
    ask: 'the same, its clock was set right 3 h ago',
    how: 'the same',
    requests: 'at most 6 per shard, see above',
    expected: { Query: 3 },
    prepare: (services) => seed(services, right, { setAt: now - 3 * hour, silentSince: now }),
    run: (services) => latest(services, right),
    gives: 1,
  },
  {
    ask: 'the same, it was set right 5 h ago, and sends nothing since 3 h',
    how: 'the same, and of the hour in which the device was last seen',
    requests: 'at most 6 per shard, see above',
    expected: { Query: 4 },
    prepare: (services) =>
      seed(services, silent, { setAt: now - 5 * hour, silentSince: now - 3 * hour }),
    run: (services) => latest(services, silent),
    gives: 1,
  },
  {
    ask: 'last value of a field of a device whose readings are all 8 h ahead of their receipt, one a minute',
    how: 'Query of its partition, back to the receipt of the newest reading, and in the other direction; GetItem of the device',
    requests: '3, and 1 per 1,000 readings ahead',
    expected: { GetItem: 1, Query: 3 },
    run: (services) =>
      lengthOf(services, ['query', `/v1/devices/${wrong}/fields?fields=temperature`], 'fields'),
    gives: 1,
  },
];
