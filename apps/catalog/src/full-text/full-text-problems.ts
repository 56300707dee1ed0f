import { Problem } from '@engawa/errors';

/** Seconds after which a search may be tried again that only an operator can make possible. */
const tooLargeRetrySeconds = 60;

export function buildingProblem(cause?: unknown): Problem {
  const detail = 'The full-text index is being built from the table.';
  return new Problem('full-text-unavailable', detail, { cause });
}

export function tooLargeProblem(): Problem {
  const detail = 'The full-text index has reached its limit of bytes on disk, or the disk is full.';
  return new Problem('full-text-too-large', detail, { retryAfterSeconds: tooLargeRetrySeconds });
}

/** @param name of the values that were to be counted */
export function tooManyValuesProblem(name: string): Problem {
  const detail = `${JSON.stringify(name)} has too many different values among what is found to count by them.`;
  const faults = [{ path: 'query.facet', message: 'must be of fewer different values' }];
  return new Problem('invalid-request', detail, { fieldErrors: faults });
}

export function timeoutProblem(timeoutMs: number): Problem {
  return new Problem('full-text-timeout', `It was ended after ${timeoutMs} milliseconds.`);
}
