import { setTimeout as delay } from 'node:timers/promises';
import { backoff } from './backoff.ts';
import { RetryQuota } from './retry-quota.ts';
import { errorKindOf, isRejectedKey } from '../errors/dynamo-error.ts';
import { isWorthRetry } from '../errors/remedy.ts';
import type { ServiceInputTypes } from '@aws-sdk/client-dynamodb';
import type { AttemptObserver } from '../heat/observe-attempts.ts';
import type { Availability } from '../observe/availability.ts';
import type { RequestTracer } from '../observe/trace.ts';
import type { BatchWriteInput } from '../write/batch-write-input.ts';
import type { DirectClient } from './direct-client.ts';
import type { ResponseCheck } from './response-check.ts';
import type { Convert } from './sliced-conversion.ts';

export interface RequestSenderOptions {
  direct: DirectClient;
  /** Attempts of a request that may succeed when it is sent again. */
  maxAttempts: number;
  tracer: RequestTracer;
  availability: Availability;
  attempts: AttemptObserver;
  responses: ResponseCheck;
}

/** DynamoDB's names of the operations that are sent directly. */
export const directOperations = ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'Query'] as const;
export type DirectOperation = (typeof directOperations)[number];

export interface DirectRequest {
  operation: DirectOperation;
  /** The index that the request reads, otherwise `table`. */
  index: string;
  /** For observers, in DynamoDB's form. */
  input: ServiceInputTypes | BatchWriteInput;
  /** The complete JSON body. */
  body: string;
  signal: AbortSignal | undefined;
  /** Converts each of the `Items` of a response. */
  convertItem?: Convert;
  /** Takes parts from each response before observers see it. @returns the rest */
  onOutput?: (output: object) => object;
}

/** Throttled requests wait eight times as long, as they do in the SDK. */
const throttledDoublings = 3;

/** The part of a request's signal that is missing. */
const neverAborted = new AbortController().signal;

/** Sends requests with the direct client, and observes and retries them as the SDK's middleware does. */
export class RequestSender {
  readonly #options: RequestSenderOptions;
  readonly #quota = new RetryQuota();

  constructor(options: RequestSenderOptions) {
    this.#options = options;
  }

  /** @throws an error like the SDK's */
  async send(request: DirectRequest): Promise<object> {
    const { tracer, availability } = this.#options;
    const { operation, input } = request;
    try {
      const { output } = await tracer.trace(operation, input, () => this.#sendUntilFinal(request));
      return output;
    } catch (error) {
      availability.failed(operation, error);
      throw error;
    }
  }

  async #sendUntilFinal(request: DirectRequest): Promise<{ output: object }> {
    let cost: number | undefined;
    for (let count = 1; ; count++) {
      try {
        const result = await this.#attempt(request);
        this.#quota.succeeded(cost);
        return result;
      } catch (error) {
        const delayMs = count < this.#options.maxAttempts ? retryDelayMs(error, count) : undefined;
        if (delayMs === undefined) throw error;
        cost = this.#quota.take(errorKindOf(error) === 'timeout');
        if (cost === undefined) throw error;
        await delay(delayMs, undefined, { signal: request.signal });
      }
    }
  }

  #attempt(request: DirectRequest): Promise<{ output: object }> {
    const { direct, tracer, attempts, responses } = this.#options;
    const { operation, input, body, signal = neverAborted, onOutput, convertItem } = request;
    const send = async () => {
      const onAddress = tracer.sendingTo.bind(tracer);
      const output = await direct.send(operation, body, { signal, onAddress, convertItem });
      responses.check(operation, input, output);
      return { output: onOutput?.(output) ?? output };
    };
    return direct.bounded(() => attempts.observe(request, send), signal);
  }
}

/** Milliseconds to wait before the next attempt; undefined after an error that an attempt would repeat. */
function retryDelayMs(error: unknown, failures: number): number | undefined {
  const kind = errorKindOf(error);
  if (kind === 'throttled') return backoff(failures + throttledDoublings);
  // The next attempt loads the credentials that DynamoDB has rejected again.
  if (isWorthRetry(kind) || isRejectedKey(error)) return backoff(failures);
  return (error as { clockCorrected?: boolean }).clockCorrected === true ? 0 : undefined;
}
