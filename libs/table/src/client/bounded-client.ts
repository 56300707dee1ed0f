import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Semaphore } from './semaphore.ts';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** Where the SDK keeps what it was told with a request (@smithy/types, `SMITHY_CONTEXT_KEY`). */
const smithyContext = '__smithy_context';

type Handler<Arguments, Answer> = (attempt: Arguments) => Promise<Answer>;

/**
 * Has at most so many attempts in flight. All others wait, first in, first out, before they are signed and before their
 * timeout begins: requests that share too few sockets would time out without having been sent, be sent again, and keep
 * each other from ever being answered. The backoff between two attempts takes no place.
 */
export class BoundedClient extends DynamoDBClient {
  readonly #semaphore: Semaphore;

  constructor({ maxInFlight, ...config }: DynamoDBClientConfig & { maxInFlight: number }) {
    super(config);
    const semaphore = new Semaphore(maxInFlight);
    this.#semaphore = semaphore;
    this.middlewareStack.addRelativeTo(
      <Arguments, Answer>(
        next: Handler<Arguments, Answer>,
        context: Readonly<Record<string, unknown>>,
      ): Handler<Arguments, Answer> => {
        const { abortSignal } = context[smithyContext] as { abortSignal?: AbortSignal };
        return async (attempt) => {
          await semaphore.acquire(abortSignal);
          try {
            // Ends when the whole answer has been read, or nothing more of it will be.
            return await next(attempt);
          } finally {
            semaphore.release();
          }
        };
      },
      { name: 'engawaBoundAttempts', relation: 'before', toMiddleware: 'httpSigningMiddleware' },
    );
  }

  /** Rejects all requests that wait, and all that come later. */
  override destroy(): void {
    this.#semaphore.close();
    super.destroy();
  }
}
