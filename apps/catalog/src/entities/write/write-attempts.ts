import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import { entityKey } from '@engawa/keys';
import { WriteConflict, TargetsRecreated } from './commit.ts';
import { EntityQueue } from './entity-queue.ts';
import type { EntityName } from '@engawa/keys';
import type { Incarnations } from '../relations/incarnations.ts';

/** Attempts of a write that conflicts with other replicas: about five seconds. */
const maxAttempts = 40;
const maxDelayMs = 250;

/** Retries writes after conflicts. */
export class WriteAttempts {
  /** Serializes read-modify-write cycles of this replica on one entity, which would conflict with each other. */
  readonly #writers = new EntityQueue();
  readonly #incarnations: Incarnations;

  constructor(incarnations: Incarnations) {
    this.#incarnations = incarnations;
  }

  /**
   * Runs one attempt at a time for each entity, and retries with jittered backoff while it
   * conflicts with other replicas.
   * @throws Problem `table-throttled` after `maxAttempts`
   */
  retryOnConflict<Result>(
    name: EntityName | readonly EntityName[],
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    return this.#writers.exclusive([name].flat().map(entityKey), async () => {
      for (let attempts = 1; ; attempts++) {
        try {
          return await attempt();
        } catch (error) {
          if (!(error instanceof WriteConflict)) throw error;
          learnFrom(error, this.#incarnations);
          if (attempts === maxAttempts) {
            throw new Problem(
              'table-throttled',
              'Concurrent writes to the same entity prevented this one; retry later.',
            );
          }
          await delay(Math.random() * Math.min(maxDelayMs, 2 ** attempts));
        }
      }
    });
  }
}

/** Remembers the incarnations of recreated targets for the next attempt. */
export function learnFrom(error: WriteConflict, incarnations: Incarnations): void {
  if (!(error instanceof TargetsRecreated)) return;
  for (const target of error.targets) incarnations.learn(target);
}
