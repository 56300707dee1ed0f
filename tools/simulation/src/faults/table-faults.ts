import type { TableFault } from '../table/index.ts';
import type { Fault } from './fault.ts';

/** For so many milliseconds at most. */
const longestMs = 20_000;

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

export const tableFaults: readonly Fault[] = [
  forAWhile('a throttle', 2, { kind: 'throttle' }),
  forAWhile('unprocessed items', 2, { kind: 'unprocessed' }),
  forAWhile('an error before the write', 1, { kind: 'error', when: 'before' }),
  forAWhile('an error after the write', 1, { kind: 'error', when: 'after' }),
  forAWhile('a lost answer', 2, { kind: 'lost' }),
  forAWhile('no answer before the write', 1, { kind: 'stuck', when: 'before' }),
  forAWhile('no answer after the write', 1, { kind: 'stuck', when: 'after' }),
  forAWhile('a slow answer', 1, { kind: 'slow', delayMs: 2500 }),
];
