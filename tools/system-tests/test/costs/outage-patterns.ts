import { deviceKey } from '@engawa/keys';
import { blockItem, deviceItem, membershipItem, packReadings } from '@engawa/model';
import { aDevice } from '@engawa/testing';
import { day, hour, midnight, minute } from './seed-table.ts';
import { lengthOf, range, search } from './pattern.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

const place = 'outage';
const devices = ['outage-1', 'outage-2'] as const;
const readingsOfHour = 60;

/** Meters that were silent for eleven days before midnight. They are in no list. */
async function seed(services: MeteredServices): Promise<void> {
  const writer = services.table.batchWriter();
  const puts: Promise<void>[] = [];
  for (const device of devices) {
    for (const start of [midnight - 11 * day - hour, midnight]) {
      const readings = Array.from({ length: readingsOfHour }, (_, index) => ({
        time: start + index * minute,
        fields: { energy: index, temperature: 20 },
      }));
      const blocks = packReadings(device, readings).map((pack) =>
        blockItem({ device, readings: pack }),
      );
      puts.push(...blocks.map((block) => writer.put({ ...block })));
    }
    const item = deviceItem(
      aDevice({ id: device, span: 4096, registeredAt: 0, lastSeenAt: midnight }),
    );
    puts.push(writer.put({ ...item, ...deviceKey(device) }));
    const since = midnight - 300 * day;
    puts.push(writer.put({ ...membershipItem({ place, device, since }) }));
  }
  await Promise.all(puts);
  writer.close();
}

function hourOf(services: MeteredServices, whose: string, more: Record<string, string>) {
  const asked = { ...range(midnight, midnight + hour), every: 'PT1H', fields: 'energy', ...more };
  return lengthOf(services, ['query', `/v1/${whose}/aggregates?${search(asked)}`], 'items');
}

const increase = { fn: 'increase' };
const states = { fn: 'duration,share,changes' };
const device = `devices/${devices[0]}`;
const how =
  'Query of rollups, of the day before, and of the newest block for its retention; Query of the newest readings before that day, eventually consistent: 0.5 units; the device';

/** Aggregates for which a value before the range counts, eleven days old. */
export const outagePatterns: Pattern[] = [
  {
    ask: 'increase of an hour after an outage of 11 days, later requests',
    how,
    requests:
      '4 and 1 per shard; more if the newest 10 readings lack the field, up to 4 units, then the bucket is marked',
    expected: { GetItem: 1, Query: 4 },
    prepare: async (services) => {
      await seed(services);
      await hourOf(services, device, increase);
    },
    run: (services) => hourOf(services, device, increase),
    gives: 1,
  },
  {
    ask: 'the same of a place: 2 devices',
    how: 'the same for each device, and a Query of the memberships; devices are cached for 5 s',
    requests: '1 + 5 per device',
    expected: { GetItem: 2, Query: 8 },
    prepare: (services) => hourOf(services, `places/${place}`, increase),
    run: (services) => hourOf(services, `places/${place}`, increase),
    gives: 1,
  },
  {
    ask: 'last values of 2 hours before the end of the outage, filled from before it (fill=previous), later requests',
    how: 'the same, and a Query of the rollup of the hour of that value',
    requests: '7 and 1 per shard',
    expected: { GetItem: 2, Query: 7 },
    prepare: (services) => filled(services),
    run: (services) => filled(services),
    gives: 2,
  },
  {
    ask: 'states of a field (duration, share, changes) in an hour after the outage',
    how: 'the device; Query of the newest readings before the hour, and of the readings of the hour, eventually consistent',
    requests:
      '2 and 1 per shard and page of readings; more if the newest 10 readings before lack the field, up to 4 units',
    expected: { GetItem: 1, Query: 2 },
    prepare: (services) => hourOf(services, device, states),
    run: (services) => hourOf(services, device, states),
    gives: 1,
  },
  {
    ask: 'the same of the place: 2 devices',
    how: 'the same for each device; memberships and devices are cached for 5 s',
    requests: '3 per device, and 1 for the memberships',
    expected: { GetItem: 2, Query: 4 },
    prepare: (services) => hourOf(services, `places/${place}`, states),
    run: (services) => hourOf(services, `places/${place}`, states),
    gives: 1,
  },
];

/** Hours without a reading. */
function filled(services: MeteredServices): Promise<number> {
  const asked = {
    ...range(midnight - 2 * hour, midnight),
    every: 'PT1H',
    fields: 'energy',
    fn: 'last',
    fill: 'previous',
  };
  return lengthOf(services, ['query', `/v1/${device}/aggregates?${search(asked)}`], 'items');
}
