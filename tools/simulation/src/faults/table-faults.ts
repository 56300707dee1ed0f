import type { TableFault } from '../table/index.ts';
import type { RandomFault } from './fault.ts';

/** Maximum duration in milliseconds. */
const maxDurationMs = 20_000;

/** A fault that affects some or all requests of the table in one way for some time. */
function forAWhile(name: string, weight: number, fault: TableFault['fault']): RandomFault {
  return {
    name,
    weight,
    inject: ({ system: { endpoint, world }, random, narrate }) => {
      const probability = random.pick([0.05, 0.3, 1]);
      const forMs = random.integer(500, maxDurationMs);
      narrate(`${100 * probability} % of the table's requests get ${name} for ${forMs} ms`);
      const remove = endpoint.faults.add({ fault, probability });
      world.schedule(forMs, 'the table recovers', remove);
    },
  };
}

/** Maximum lag of an index in milliseconds; the catalog tolerates up to two minutes (docs/adr/0061). */
const maxLagMs = 30_000;

/** Delays the visibility of writes in indexes, as a split or overloaded index partition does. */
const indexesBehind: RandomFault = {
  name: 'index lag',
  weight: 2,
  inject: ({ system: { delays, world }, random, narrate }) => {
    const byMs = random.integer(500, maxLagMs);
    const forMs = random.integer(500, maxDurationMs);
    narrate(`indexes show writes of the next ${forMs} ms up to ${byMs} ms late`);
    world.schedule(forMs, 'the indexes catch up', delays.delayIndexes(byMs));
  },
};

export const tableFaults: readonly RandomFault[] = [
  forAWhile('a throttle', 2, { kind: 'throttle' }),
  forAWhile('unprocessed items', 2, { kind: 'unprocessed' }),
  forAWhile('an error before the write', 1, { kind: 'error', when: 'before' }),
  forAWhile('an error after the write', 1, { kind: 'error', when: 'after' }),
  forAWhile('a lost response', 2, { kind: 'lost' }),
  forAWhile('a hang before the write', 1, { kind: 'stuck', when: 'before' }),
  forAWhile('a hang after the write', 1, { kind: 'stuck', when: 'after' }),
  forAWhile('a slow response', 1, { kind: 'slow', delayMs: 2500 }),
  indexesBehind,
];
