import type { TableFault } from '../table/index.ts';
import type { Fault } from './fault.ts';

/** For so many milliseconds at most. */
const longestMs = 20_000;
/** What keys of items about devices begin with. */
const devicePrefix = 'DEVICE#';

/** Requests fail in one way for a while, some of them or all. */
function forAWhile(name: string, weight: number, fault: TableFault['fault']): Fault {
  return {
    name,
    weight,
    inject: ({ system: { endpoint, world }, random, tell }) => {
      const probability = random.pick([0.05, 0.3, 1]);
      const forMs = random.integer(500, longestMs);
      tell(`of the table's requests ${100 * probability} % meet ${name} for ${forMs} ms`);
      const remove = endpoint.faults.add({ fault, probability });
      world.schedule(forMs, 'the table recovers', remove);
    },
  };
}

/** Writes to the partition of one device are throttled, and others are not; long enough for readings to be parked. */
const hotDevice: Fault = {
  name: 'a hot device',
  weight: 3,
  inject: ({ system: { endpoint, table, world }, random, tell }) => {
    const partitions = new Set<string>();
    for (const item of table.items()) {
      const pk = (item as Record<string, { S?: string } | undefined>)['pk']?.S ?? '';
      if (pk.startsWith(devicePrefix)) partitions.add(pk);
    }
    if (partitions.size === 0) return;
    const partitionKey = random.pick([...partitions]);
    const forMs = random.integer(2000, 3 * longestMs);
    tell(`writes to ${partitionKey} are throttled for ${forMs} ms`);
    const fault = { kind: 'throttle' } as const;
    const remove = endpoint.faults.add({ fault, partitionKey, unit: 'write' });
    world.schedule(forMs, 'the table recovers', remove);
  },
};

export const tableFaults: readonly Fault[] = [
  hotDevice,
  forAWhile('a throttle', 2, { kind: 'throttle' }),
  forAWhile('unprocessed items', 2, { kind: 'unprocessed' }),
  forAWhile('an error before the write', 1, { kind: 'error', when: 'before' }),
  forAWhile('an error after the write', 1, { kind: 'error', when: 'after' }),
  forAWhile('a lost answer', 2, { kind: 'lost' }),
  forAWhile('no answer before the write', 1, { kind: 'stuck', when: 'before' }),
  forAWhile('no answer after the write', 1, { kind: 'stuck', when: 'after' }),
  forAWhile('a slow answer', 1, { kind: 'slow', delayMs: 2500 }),
];
