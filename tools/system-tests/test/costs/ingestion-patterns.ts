import { deviceKey } from '@engawa/keys';
import { deadLetterId, deadLetterItems, packReadings, parseDevice } from '@engawa/model';
import { until } from '@engawa/testing';
import { createHash } from 'node:crypto';
import { deviceId, hour, midnight, minute, sensorsOf } from './seed-table.ts';
import { lengthOf } from './pattern.ts';
import type { Reading } from '@engawa/model';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

/** Current readings: older ones would change rollups. Each following reading is a minute later. */
const now = Date.now();
const meter = deviceId(0);
const [door = ''] = sensorsOf('hillside');
/** Last seen long ago: an update of last seen is due with their next message. */
const [, , , touched = '', described = ''] = sensorsOf('lakeside');

async function post(
  services: MeteredServices,
  device: string,
  readings: readonly Reading[],
): Promise<unknown> {
  const body = readings.map(({ time, fields }) => ({ ts: time, ...fields }));
  const answer = await services.ask('ingestion', `/v1/readings?device=${device}`, {
    method: 'POST',
    body,
  });
  return answer.body['stored'];
}

/** Registers the device if it does not exist, and stores its last-seen time to the hour. */
async function hear(
  services: MeteredServices,
  device: string,
  readings: readonly Reading[],
): Promise<void> {
  await post(services, device, readings);
  const newest = Math.max(...readings.map(({ time }) => time));
  await until(`${device} to be seen`, async () => {
    const item = await services.table.get(deviceKey(device), { consistent: true });
    return item !== undefined && parseDevice(item).lastSeenAt > newest - hour;
  });
}

function reading(time: number): Reading {
  return { time, fields: { temperature: 21.5 } };
}

/** Number of readings, at ten per second, that fill 25 blocks, which is a batch. */
function blocks(from: number): Reading[] {
  const readings: Reading[] = [];
  while (packReadings('blocks', readings).length <= 25) {
    const air = { temperature: 21.5, humidity: 48.25, pressure: 1013.2, co2: 612, noise: 31.5 };
    const fields = { ...air, power: 1.5, current: 0.015, voltage: 101.25, energyImport: 1234.567 };
    readings.push({ time: from + readings.length * 100, fields });
  }
  return readings.slice(0, -1);
}

const batch = blocks(now);

async function seedDeadLetters(services: MeteredServices): Promise<void> {
  const writer = services.table.batchWriter();
  const deadLetters = Array.from({ length: services.size.deadLetters }, (_, index) => {
    const payload = Buffer.from(`{"temperature": "warm", "number": ${1e6 + index}}`);
    const hash = createHash('sha256').update(payload).digest();
    const id = deadLetterId({ receivedAt: now, delivery: hash, unique: hash.subarray(5) });
    const reason = 'bad_field' as const;
    const rest = { topic: 'engawa/broken/readings', properties: [], receivedAt: now };
    return deadLetterItems({ id, reason, detail: 'is no number', payload, ...rest }, 0)[0];
  });
  await Promise.all(deadLetters.map((item) => writer.put(item)));
  writer.close();
}

/** Messages of devices, and their processing. */
export const ingestionPatterns: Pattern[] = [
  {
    ask: `store ${batch.length} readings that share 25 blocks`,
    how: 'BatchWriteItem of 25 blocks of a kilobyte',
    requests: '1 per 25 blocks; a block costs 1 write unit per started KB',
    expected: { BatchWriteItem: 1 },
    prepare: (services) => hear(services, 'blocks', blocks(now - minute)),
    run: (services) => post(services, 'blocks', batch),
    gives: batch.length,
  },
  {
    ask: 'store a single reading, alone in its block and batch',
    how: 'BatchWriteItem',
    requests: '1',
    expected: { BatchWriteItem: 1 },
    prepare: (services) => hear(services, meter, [reading(now)]),
    run: (services) => post(services, meter, [reading(now + 1)]),
    gives: 1,
  },
  {
    ask: 'update of last seen: the first reading of an hour',
    how: 'the block, and UpdateItem',
    requests: '1',
    expected: { BatchWriteItem: 1, UpdateItem: 1 },
    run: (services) => post(services, touched, [reading(now)]),
    gives: 1,
  },
  {
    ask: 'update of last seen of a device with the maximum of metadata, 4 KB',
    how: 'the block, and UpdateItem; 3 units per started KB of the device',
    requests: '1',
    expected: { BatchWriteItem: 1, UpdateItem: 1 },
    prepare: (services) => {
      const metadata = { notes: 'x'.repeat(4084) };
      const path = `/v1/devices/${described}`;
      return services.ask('registry', path, { method: 'PUT', body: { metadata } });
    },
    run: (services) => post(services, described, [reading(now)]),
    gives: 1,
  },
  {
    ask: 'an event at a place: a door is opened',
    how: 'the block, and UpdateItem of the placement',
    requests: '1',
    expected: { BatchWriteItem: 1, UpdateItem: 1 },
    prepare: (services) => hear(services, door, [reading(now)]),
    run: (services) => post(services, door, [{ time: now + 1, fields: { contact: 'open' } }]),
    gives: 1,
  },
  {
    ask: 'a late reading, of a past hour and day',
    how: 'invalidation of both rollups, after the block',
    requests: '1 each, shared by concurrent late readings',
    expected: { BatchWriteItem: 3 },
    run: (services) => post(services, meter, [reading(midnight - 1)]),
    gives: 1,
  },
  {
    ask: 'a new device',
    how: 'the block, and UpdateItem',
    requests: '1',
    expected: { BatchWriteItem: 1, UpdateItem: 1 },
    run: (services) => post(services, 'unheard', [reading(now)]),
    gives: 1,
  },
  {
    ask: 'an hour of a device that sends a reading a minute',
    how: '60 blocks, and last seen once: bookkeeping adds at most 5 % to the units of the readings',
    requests: '1 per block (fewer if blocks share a batch), and 1',
    expected: { BatchWriteItem: 60, UpdateItem: 1 },
    // Past times would invalidate rollups. Last seen is the receipt, so it is not due again; that the readings are
    // ahead is stored with it.
    prepare: (services) => hear(services, 'regular', [reading(now - hour - minute)]),
    run: async (services) => {
      // One at a time, so that they share no batch. From now on: on a slow machine the test began minutes ago.
      const start = Date.now();
      for (let index = 2; index <= 61; index++) {
        await post(services, 'regular', [reading(start + index * minute)]);
      }
      return 60;
    },
    gives: 60,
  },
  {
    ask: 'dead letters of a day, a page of 10',
    how: 'Query, and GetItem of the marker of further shards',
    requests: 'shards, and 1',
    expected: { GetItem: 1, Query: 1 },
    prepare: seedDeadLetters,
    run: (services) => {
      const day = new Date(now).toISOString().slice(0, 10);
      return lengthOf(services, ['ingestion', `/v1/deadLetters?day=${day}&limit=10`], 'items');
    },
    gives: 10,
  },
];
