import { setTimeout as sleep } from 'node:timers/promises';
import { backoff, isRetryable } from '@engawa/table';
import type { Logger } from 'pino';

export interface RetryOptions {
  log: Logger;
  /** Aborts when closing begins: what fails then is not tried again, and its message comes again. */
  signal: AbortSignal;
}

/** Failures that the backoff takes for granted: the SDK has made as many attempts of each request, with its own backoff. */
const sdkFailures = 3;

/**
 * Sends a request to the table again until it succeeds, or fails in a way that no retry changes. The message it is for
 * waits meanwhile, unacknowledged. Backoff with full jitter: up to 400 ms after the first failure, twice as much after each
 * further one, never more than 5 s.
 * @throws what is not retryable (ConditionFailed, ItemRejected, a defect of ours); the signal's reason when that aborts
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
