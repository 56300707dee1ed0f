import { dynamoDbError, startDynamoDbProxy } from '@engawa/testing';
import type { DynamoDbProxy, ProxiedRequest, ProxiedResponse } from '@engawa/testing';

/**
 * Fate of a request: the table answers it, the key is throttled, the table rejects it permanently, or the connection is
 * closed before the table receives it.
 */
export type RequestOutcome = 'answered' | 'throttled' | 'refused' | 'cut';

/** A response replaces the table's: the request does not reach the table. */
type RequestFate = RequestOutcome | ProxiedResponse;

const exceptions = {
  throttled: 'ProvisionedThroughputExceededException',
  refused: 'ValidationException',
};

/** A proxy in front of the table with a socket of its own, which decides the fate of each request. */
export class TableProxy {
  /** Number of requests with this fate. */
  readonly counts: Record<RequestOutcome, number> = {
    answered: 0,
    throttled: 0,
    refused: 0,
    cut: 0,
  };
  /** May be slow. */
  fateOf: (request: ProxiedRequest) => RequestFate | Promise<RequestFate> = () => 'answered';
  readonly #proxy: DynamoDbProxy;

  static async start(upstream: string): Promise<TableProxy> {
    const proxy = await startDynamoDbProxy(upstream, (request) => started.#respond(request));
    const started = new TableProxy(proxy);
    return started;
  }

  private constructor(proxy: DynamoDbProxy) {
    this.#proxy = proxy;
  }

  get endpoint(): string {
    return this.#proxy.endpoint;
  }

  close(): Promise<void> {
    return this.#proxy.close();
  }

  async #respond(request: ProxiedRequest): Promise<ProxiedResponse | undefined> {
    const fate = await this.fateOf(request);
    // A request whose client has given up is not counted: the table never received it.
    if (request.connection.destroyed) return undefined;
    if (typeof fate === 'object') return fate;
    this.counts[fate] += 1;
    if (fate === 'answered') return request.forward();
    if (fate !== 'cut') return dynamoDbError(exceptions[fate], fate);
    request.connection.destroy();
    return undefined;
  }
}
