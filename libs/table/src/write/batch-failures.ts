import { errorKindOf } from '../errors/dynamo-error.ts';
import { mayConcernContent } from '../errors/remedy.ts';
import type { KeyQueues } from './key-queues.ts';
import type { PendingPut } from './pending-put.ts';
import type { RequestHold } from './request-hold.ts';
import type { SuspectPuts } from './suspect-puts.ts';

/** `rejected`: DynamoDB will never store the only item of the batch. */
export type FailureOutcome = 'rejected' | 'overloaded' | 'neutral';

/** Failed requests with an item from which the item is suspected, also for errors such as a reset connection. */
const failuresUntilSuspected = 3;

/** Failures in a row, of any requests, up to which the cause may be an item rather than an outage. */
const failuresUntilOutage = 3;

/** Decides what becomes of the items of batches that failed as a whole, except throttled ones. */
export class BatchFailures {
  readonly #queues: KeyQueues<PendingPut>;
  readonly #suspects: SuspectPuts;
  readonly #hold: RequestHold;

  constructor(queues: KeyQueues<PendingPut>, suspects: SuspectPuts, hold: RequestHold) {
    this.#queues = queues;
    this.#suspects = suspects;
    this.#hold = hold;
  }

  /** @param pending buffered items, for the log */
  failed(
    batch: readonly PendingPut[],
    error: unknown,
    timing: { sentAt: number; pending: number },
  ): FailureOutcome {
    const suspects = this.#suspects;
    const kind = errorKindOf(error);
    const [first] = batch;
    if (kind === 'invalid' || kind === 'too_large') {
      if (batch.length === 1) return 'rejected';
      suspects.halve(batch);
      return 'neutral';
    }
    if (first !== undefined && suspects.isInFlight(first)) {
      suspects.failed(first, performance.now());
      return 'neutral';
    }
    this.#hold.failed(error, timing);
    this.#retry(batch, mayConcernContent(kind));
    return 'overloaded';
  }

  /** @param isSuspicious whether the content of the batch may be the cause of its failure */
  #retry(batch: readonly PendingPut[], isSuspicious: boolean): void {
    const [queues, suspects] = [this.#queues, this.#suspects];
    const now = performance.now();
    let failures = 0;
    for (const put of batch) failures = Math.max(failures, ++put.failures);
    const [first, ...others] = batch;
    if (first === undefined || !(isSuspicious || failures >= failuresUntilSuspected)) {
      queues.putBack(batch, now);
    } else if (others.length > 0) {
      suspects.halve(batch);
    } else if (this.#hold.failures > failuresUntilOutage) {
      queues.putBack(batch, now);
    } else {
      queues.taken(first.pk, now);
      suspects.failed(first, now);
    }
  }
}
