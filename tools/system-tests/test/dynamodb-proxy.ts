import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonResponse } from './json-response.ts';

export type Body = Record<string, unknown>;

export interface DynamoDbProxyOptions {
  /** URL of the DynamoDB API behind the proxy. */
  upstream: string;
  /** Responds directly, or with upstream's response to `ask`. */
  answer: (
    operation: string,
    body: Body,
    ask: (body: Body) => Promise<JsonResponse>,
  ) => Promise<JsonResponse>;
}

/** A proxy for a DynamoDB API. Handlers may read and change bodies, whose numbers are strings. */
export class DynamoDbProxy {
  readonly #options: DynamoDbProxyOptions;
  readonly #server: Server;

  static async start(options: DynamoDbProxyOptions): Promise<DynamoDbProxy> {
    const proxy = new DynamoDbProxy(options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(options: DynamoDbProxyOptions) {
    this.#options = options;
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const ask = (body: Body) => this.#ask(request, body);
    const { status, body } = await this.#options.answer(operation, JSON.parse(text) as Body, ask);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(body));
  }

  async #ask({ headers }: IncomingMessage, body: Body): Promise<JsonResponse> {
    const passedOn = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
    const answer = await fetch(this.#options.upstream, {
      method: 'POST',
      headers: passedOn.map((name): [string, string] => [name, String(headers[name])]),
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  }
}
