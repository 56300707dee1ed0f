import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, isRetryable } from '@engawa/table';
import type { Logger } from 'pino';

export interface RetryOptions {
  log: Logger;
  /** Aborts when closing begins: requests that fail then are not retried, and their messages are delivered again. */
  signal: AbortSignal;
}

/**
 * Initial failure count of the backoff: the SDK has already made this many attempts of each request, with its own
 * backoff.
 */
const sdkFailures = 3;

/**
 * Repeats a request to the table until it succeeds, or fails with an error that is not retryable. The message that
 * needs the request stays unacknowledged meanwhile. Backoff with full jitter: up to 400 ms after the first failure,
 * doubled with each failure, at most 5 s.
 * @throws errors that are not retryable (ConditionFailed, ItemRejected, defects); the signal's reason when it aborts
 */
export async function retryForever<Result>(
  send: () => Promise<Result>,
  { log, signal }: RetryOptions,
): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await send();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      signal.throwIfAborted();
      log.debug({ err: error, failures }, 'DynamoDB request failed; retrying');
      await sleep(backoff(sdkFailures + failures), undefined, { signal });
    }
  }
}
