import { ProblemError } from '../http/problem-error.ts';
import { lostLock } from '../http/retry.ts';

/**
 * Repeats a read with a conditional write where other clients changed the entity in between.
 * @throws ProblemError of the last attempt
 */
export async function retryOvertaken<Result>(
  maxAttempts: number,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isOvertaken(error) || attempts >= maxAttempts) throw error;
    }
  }
}

function isOvertaken(error: unknown): boolean {
  return error instanceof ProblemError && (error.status === 412 || error.type === lostLock);
}
