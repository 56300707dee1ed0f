import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import { text } from 'node:stream/consumers';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP request to DynamoDB. */
export interface TableRequest {
  /** The DynamoDB operation: `Query`, `TransactWriteItems`. */
  operation: string;
  body: string;
}

/** One held request. */
export interface HeldRequest {
  /** Resolves when the request has arrived. */
  arrived: Promise<unknown>;
  /** Forwards the request. */
  release(): void;
}

type RequestMatcher = (request: TableRequest) => boolean;

interface RequestHold {
  matches: RequestMatcher;
  arrived: () => void;
  released: Promise<unknown>;
}

/** A proxy that holds single requests of one replica, so that other requests overtake them. */
export class Gate {
  /** All requests, in order of arrival. */
  readonly requests: TableRequest[] = [];
  readonly #upstream: string;
  readonly #server: Server;
  readonly #holds = new Set<RequestHold>();
  readonly #dropped = new Set<RequestMatcher>();

  static async start(upstream: string): Promise<Gate> {
    const gate = new Gate(upstream);
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  private constructor(upstream: string) {
    this.#upstream = upstream;
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.#pass(request, response).catch(() => response.destroy());
    });
  }

  /** Environment of a service that uses this proxy, with a timeout longer than a test. */
  get environment(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return { DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}`, DYNAMODB_TIMEOUT_MS: '60000' };
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

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const received = { operation, body };
    this.requests.push(received);
    const hold = [...this.#holds].find(({ matches }) => matches(received));
    if (hold !== undefined) {
      this.#holds.delete(hold);
      hold.arrived();
      await hold.released;
    }
    const { method, headers } = request;
    const forwarded = ask(this.#upstream, { method, headers });
    forwarded.end(body);
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
    const dropped = [...this.#dropped].find((matches) => matches(received));
    if (dropped !== undefined) {
      this.#dropped.delete(dropped);
      await text(answer);
      response.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  }
}

export function isTransaction({ operation }: TableRequest): boolean {
  return operation === 'TransactWriteItems';
}

/** Matches the staging of rows. */
export function stages({ operation, body }: TableRequest): boolean {
  return operation === 'TransactWriteItems' && body.includes('"staged":{"M":');
}

/** Matches the commit of a staged write. */
export function decides({ operation, body }: TableRequest): boolean {
  return operation === 'TransactWriteItems' && body.includes('"settles":{"S":');
}

/** Matches the settling of rows after the commit of a staged write. */
export function settles({ operation, body }: TableRequest): boolean {
  return operation === 'TransactWriteItems' && /"#f\d+":"settles"/.test(body);
}
