import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import { entityKey } from '@engawa/keys';
import { Overtaken, TargetsRecreated } from './commit.ts';
import { EntityQueue } from './entity-queue.ts';
import type { EntityName } from '@engawa/keys';
import type { Incarnations } from '../relations/incarnations.ts';

/** Times that a write is begun while other replicas write to the same entity: for some five seconds. */
const maxAttempts = 40;
const maxDelayMs = 250;

/** Begins writes again that others have overtaken. */
export class WriteAttempts {
  /** Those who read an entity to write it: one after the other, or they would overtake each other. */
  readonly #writers = new EntityQueue();
  readonly #incarnations: Incarnations;

  constructor(incarnations: Incarnations) {
    this.#incarnations = incarnations;
  }

  /**
   * Does it once nobody else of this replica does so with the same entity, and again while others write to it.
   * @throws Problem `table-throttled` when they never stop
   */
  untilNotOvertaken<Result>(
    name: EntityName | readonly EntityName[],
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    return this.#writers.exclusive([name].flat().map(entityKey), async () => {
      for (let attempts = 1; ; attempts++) {
        try {
          return await attempt();
        } catch (error) {
          if (!(error instanceof Overtaken)) throw error;
          learnFrom(error, this.#incarnations);
          if (attempts === maxAttempts) {
            throw new Problem('table-throttled', 'Others write to the same entity all the time.');
          }
          await delay(Math.random() * Math.min(maxDelayMs, 2 ** attempts));
        }
      }
    });
  }
}

/** So that the next attempt relates to what is there now. */
export function learnFrom(error: Overtaken, incarnations: Incarnations): void {
  if (!(error instanceof TargetsRecreated)) return;
  for (const target of error.targets) incarnations.learn(target);
}
