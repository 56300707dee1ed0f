import { startDynamoDbProxy } from '@engawa/testing';
import type { DynamoDbProxy, ProxiedRequest, ProxiedResponse } from '@engawa/testing';

/** One held request. */
export interface HeldRequest {
  /** Resolves when the request has arrived. */
  arrived: Promise<unknown>;
  /** Forwards the request. */
  release(): void;
}

type RequestMatcher = (request: ProxiedRequest) => boolean;

interface RequestHold {
  matches: RequestMatcher;
  arrived: () => void;
  released: Promise<unknown>;
}

/** A proxy that holds single requests of one replica, so that other requests overtake them. */
export class Gate {
  /** All requests, in order of arrival. */
  readonly requests: ProxiedRequest[] = [];
  readonly #proxy: DynamoDbProxy;
  readonly #holds = new Set<RequestHold>();
  readonly #dropped = new Set<RequestMatcher>();

  static async start(upstream: string): Promise<Gate> {
    const proxy = await startDynamoDbProxy(upstream, (request) => gate.#pass(request));
    const gate = new Gate(proxy);
    return gate;
  }

  private constructor(proxy: DynamoDbProxy) {
    this.#proxy = proxy;
  }

  /** Environment of a service that uses this proxy, with a timeout longer than a test. */
  get environment(): Record<string, string> {
    return { DYNAMODB_ENDPOINT: this.#proxy.endpoint, DYNAMODB_TIMEOUT_MS: '60000' };
  }

  /** Holds the next matching request. */
  hold(matches: RequestMatcher): HeldRequest {
    const arrived = Promise.withResolvers();
    const released = Promise.withResolvers();
    const hold = { matches, arrived: () => arrived.resolve(true), released: released.promise };
    this.#holds.add(hold);
    return { arrived: arrived.promise, release: () => released.resolve(true) };
  }

  /** Executes the next matching request, and drops its response. */
  loseAnswer(matches: RequestMatcher): void {
    this.#dropped.add(matches);
  }

  close(): Promise<void> {
    return this.#proxy.close();
  }

  async #pass(request: ProxiedRequest): Promise<ProxiedResponse | undefined> {
    this.requests.push(request);
    const hold = [...this.#holds].find(({ matches }) => matches(request));
    if (hold !== undefined) {
      this.#holds.delete(hold);
      hold.arrived();
      await hold.released;
    }
    const response = await request.forward();
    const dropped = [...this.#dropped].find((matches) => matches(request));
    if (dropped === undefined) return response;
    this.#dropped.delete(dropped);
    request.connection.destroy();
    return undefined;
  }
}

export function isTransaction({ operation }: ProxiedRequest): boolean {
  return operation === 'TransactWriteItems';
}

/** Matches the staging of rows. */
export function stages({ operation, body }: ProxiedRequest): boolean {
  return operation === 'TransactWriteItems' && body.includes('"staged":{"M":');
}

/** Matches the commit of a staged write. */
export function decides({ operation, body }: ProxiedRequest): boolean {
  return operation === 'TransactWriteItems' && body.includes('"settles":{"S":');
}

/** Matches the settling of rows after the commit of a staged write. */
export function settles({ operation, body }: ProxiedRequest): boolean {
  return operation === 'TransactWriteItems' && /"#f\d+":"settles"/.test(body);
}
