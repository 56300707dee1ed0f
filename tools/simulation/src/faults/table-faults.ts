import type { TableFault } from '../table/index.ts';
import type { Fault } from './fault.ts';

/** Maximum duration in milliseconds. */
const longestMs = 20_000;

/** Some or all requests fail in one way for some time. */
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

/** Milliseconds; the catalog promises nothing beyond two minutes (docs/adr/0061). */
const longestLagMs = 30_000;

/** A partition of an index is split or overloaded: writes appear in it later. */
const indexesBehind: Fault = {
  name: 'indexes behind',
  weight: 2,
  inject: ({ system: { delays, world }, random, tell }) => {
    const byMs = random.integer(500, longestLagMs);
    const forMs = random.integer(500, longestMs);
    tell(`the indexes are behind by up to ${byMs} ms with what is written within ${forMs} ms`);
    world.schedule(forMs, 'the indexes catch up', delays.delayIndexes(byMs));
  },
};

export const tableFaults: readonly Fault[] = [
  forAWhile('a throttle', 2, { kind: 'throttle' }),
  forAWhile('unprocessed items', 2, { kind: 'unprocessed' }),
  forAWhile('an error before the write', 1, { kind: 'error', when: 'before' }),
  forAWhile('an error after the write', 1, { kind: 'error', when: 'after' }),
  forAWhile('a lost answer', 2, { kind: 'lost' }),
  forAWhile('no answer before the write', 1, { kind: 'stuck', when: 'before' }),
  forAWhile('no answer after the write', 1, { kind: 'stuck', when: 'after' }),
  forAWhile('a slow answer', 1, { kind: 'slow', delayMs: 2500 }),
  indexesBehind,
];
