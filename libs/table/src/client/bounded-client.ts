import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Semaphore } from './semaphore.ts';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** Where the SDK keeps the options of a request (@smithy/types, `SMITHY_CONTEXT_KEY`). */
const smithyContext = '__smithy_context';

type Handler<Arguments, Output> = (attempt: Arguments) => Promise<Output>;

/**
 * A client with a maximum of attempts in flight. Further attempts wait, first in, first out, before
 * they are signed and before their timeout begins: if they waited for a socket instead, they would
 * time out unsent, be retried, and delay each other until none succeeds. A request in backoff
 * between two attempts does not count.
 */
export class BoundedClient extends DynamoDBClient {
  readonly #semaphore: Semaphore;

  constructor({ maxInFlight, ...config }: DynamoDBClientConfig & { maxInFlight: number }) {
    super(config);
    const semaphore = new Semaphore(maxInFlight);
    this.#semaphore = semaphore;
    this.middlewareStack.addRelativeTo(
      <Arguments, Output>(
        next: Handler<Arguments, Output>,
        context: Readonly<Record<string, unknown>>,
      ): Handler<Arguments, Output> => {
        const { abortSignal } = context[smithyContext] as { abortSignal?: AbortSignal };
        return async (attempt) => {
          await semaphore.acquire(abortSignal);
          try {
            // Settles when the whole response has been read or its connection has failed.
            return await next(attempt);
          } finally {
            semaphore.release();
          }
        };
      },
      { name: 'engawaBoundAttempts', relation: 'before', toMiddleware: 'httpSigningMiddleware' },
    );
  }

  /** Rejects all waiting and all later requests. */
  override destroy(): void {
    this.#semaphore.close();
    super.destroy();
  }
}
