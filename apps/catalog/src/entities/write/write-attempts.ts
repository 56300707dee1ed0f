import { entityKey } from '@engawa/keys';
import { retryOnConflict } from '@engawa/table';
import { WriteConflict, TargetsRecreated } from './commit.ts';
import { EntityQueue } from './entity-queue.ts';
import type { EntityName } from '@engawa/keys';
import type { Incarnations } from '../relations/incarnations.ts';

/** Entities that the problem names; a transaction has up to a hundred. */
const maxNamed = 3;

/** Retries writes after conflicts. */
export class WriteAttempts {
  /** Serializes read-modify-write cycles of this replica on one entity, which would conflict with each other. */
  readonly #writers = new EntityQueue();
  readonly #incarnations: Incarnations;

  constructor(incarnations: Incarnations) {
    this.#incarnations = incarnations;
  }

  /**
   * Runs one attempt at a time for each entity, and retries while it conflicts with other replicas.
   * @throws Problem `too-many-conflicts`
   */
  retryOnConflict<Result>(
    name: EntityName | readonly EntityName[],
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    const names = [name].flat();
    const options = {
      resource: titleOf(names),
      isConflict: (error: unknown) => error instanceof WriteConflict,
      onConflict: (conflict: WriteConflict) => learnFrom(conflict, this.#incarnations),
    };
    return this.#writers.exclusive(names.map(entityKey), () => retryOnConflict(options, attempt));
  }
}

/** Remembers the incarnations of recreated targets for the next attempt. */
export function learnFrom(error: WriteConflict, incarnations: Incarnations): void {
  if (!(error instanceof TargetsRecreated)) return;
  for (const target of error.targets) incarnations.learn(target);
}

/** Such as `Track "t"`, or `Track "t" or Artist "a"`. */
function titleOf(names: readonly EntityName[]): string {
  const named = names.slice(0, maxNamed).map(({ type, id }) => `${type} ${JSON.stringify(id)}`);
  const others = names.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(' or ');
}
