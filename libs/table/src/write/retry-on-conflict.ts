import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import { ConditionFailed } from '../errors/write-errors.ts';

export interface ConflictOptions<Conflict = ConditionFailed> {
  /** Names the resource in the problem, such as `the device "a"`. */
  resource: string;
  /** Whether a write of another client came first; by default, whether the condition of a write failed. */
  isConflict?: (error: unknown) => error is Conflict;
  /**
   * Runs after each conflict, for example to take the current item from it.
   * @throws an error that ends the retries, where the request has become impossible
   */
  onConflict?: (conflict: Conflict) => void;
  /** Aborts when nobody waits for the result any more; no further attempt is made then. */
  signal?: AbortSignal | undefined;
}

/**
 * Attempts of a write. The delays between them are about 4 s in total, at most 8 s, which is less than the deadline of
 * a request. Each failed attempt means that the write of another client has succeeded.
 */
export const maxConflictAttempts = 40;

/** Milliseconds; conflicting writes take a few milliseconds, so many early attempts are better than a few late ones. */
const firstDelayMs = 2;
const maxDelayMs = 250;

/**
 * Milliseconds to wait after conflicts in a row: evenly distributed from 0 to a ceiling that doubles with each
 * conflict, from 2 ms to 250 ms, so that writers that have conflicted do not meet again ("full jitter").
 */
function conflictDelayMs(conflicts: number): number {
  return Math.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (conflicts - 1));
}

/**
 * Runs a read-modify-write attempt, and runs it again while writes of other clients come between its read and its
 * write (an optimistic lock). `attempt` has to use the state that `onConflict` has taken, or to read it itself.
 * @throws Problem `too-many-conflicts` after `maxConflictAttempts`; other errors of the attempt; the signal's reason
 */
export async function retryOnConflict<Result, Conflict = ConditionFailed>(
  options: ConflictOptions<Conflict>,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { resource, isConflict = isConditionFailed, onConflict, signal } = options;
  for (let conflicts = 1; ; conflicts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error)) throw error;
      onConflict?.(error as Conflict);
      if (conflicts === maxConflictAttempts) throw tooManyConflicts(resource, error);
      signal?.throwIfAborted();
      await delay(conflictDelayMs(conflicts), undefined, { signal }).catch(() => {
        signal?.throwIfAborted(); // the timer rejects with an AbortError of its own
      });
    }
  }
}

function isConditionFailed(error: unknown): error is ConditionFailed {
  return error instanceof ConditionFailed;
}

function tooManyConflicts(resource: string, cause: unknown): Problem {
  const detail = `Other clients changed ${resource} before each attempt of this request.`;
  return new Problem('too-many-conflicts', detail, { cause });
}
