import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import { text } from 'node:stream/consumers';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to DynamoDB. */
export interface OvertakenRequest {
  /** The DynamoDB operation: `UpdateItem`, `TransactWriteItems`. */
  operation: string;
  body: string;
}

/** Operations that write. */
const writes: ReadonlySet<string> = new Set([
  'DeleteItem',
  'PutItem',
  'TransactWriteItems',
  'UpdateItem',
]);

/**
 * A DynamoDB proxy for a service that loses every race: before it forwards a write, it runs `overtake`, in which the
 * test makes the write of another client. So conditions of the service's writes fail for a real reason.
 */
export class OvertakingProxy {
  /** Runs before each write; undefined: writes are only forwarded. */
  overtake: ((request: OvertakenRequest) => Promise<unknown>) | undefined;
  readonly #upstream: string;
  readonly #server: Server;

  /** @param upstream URL of the DynamoDB API */
  static async start(upstream: string): Promise<OvertakingProxy> {
    const proxy = new OvertakingProxy(upstream);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(upstream: string) {
    this.#upstream = upstream;
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.#pass(request, response).catch(() => response.destroy());
    });
  }

  /** Settings of a service that uses this proxy. */
  get environment(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return { DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}` };
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
    if (writes.has(operation)) await this.overtake?.({ operation, body });
    const { method, headers } = request;
    const forwarded = ask(this.#upstream, { method, headers });
    forwarded.end(body);
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  }
}
