import { Problem } from '@engawa/errors';

/** Retry-After of a problem that only an operator can fix. */
const tooLargeRetrySeconds = 60;

export function buildingProblem(cause?: unknown): Problem {
  const detail = 'The full-text index is being built from the table.';
  return new Problem('full-text-unavailable', detail, { cause });
}

export function tooLargeProblem(): Problem {
  const detail = 'The full-text index has reached its maximum size on disk.';
  return new Problem('full-text-too-large', detail, { retryAfterSeconds: tooLargeRetrySeconds });
}

/** @param name of the values that were to be counted */
export function tooManyValuesProblem(name: string): Problem {
  const detail = `The hits have too many distinct values of ${JSON.stringify(name)} to count.`;
  const fieldErrors = [{ path: 'query.facet', message: 'must have fewer distinct values' }];
  return new Problem('invalid-request', detail, { fieldErrors });
}

export function timeoutProblem(timeoutMs: number): Problem {
  return new Problem(
    'full-text-timeout',
    `The search was cancelled after ${timeoutMs} milliseconds.`,
  );
}
