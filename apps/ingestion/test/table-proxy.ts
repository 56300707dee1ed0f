import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the table receives it. */
export interface TableRequest {
  /** Such as `PutItem`. */
  operation: string;
  /** Its body, as JSON. */
  text: string;
  /** The id of the key that signed it. */
  accessKeyId: string;
}

/**
 * Fate of a request: the table answers it, the key is throttled, the table rejects it permanently, or the connection is
 * closed before the table receives it.
 */
export type RequestOutcome = 'answered' | 'throttled' | 'refused' | 'cut';

/** A response in place of the table's: the request does not reach the table. */
export interface TableAnswer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

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
  fateOf: (
    request: TableRequest,
  ) => RequestOutcome | TableAnswer | Promise<RequestOutcome | TableAnswer> = () => 'answered';
  readonly #upstream: string;
  readonly #server: Server;

  static async start(upstream: string): Promise<TableProxy> {
    const proxy = new TableProxy(upstream);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(upstream: string) {
    this.#upstream = upstream;
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
    const [, accessKeyId = ''] =
      /Credential=([^/]*)/.exec(request.headers.authorization ?? '') ?? [];
    const fate = await this.fateOf({ operation, text, accessKeyId });
    // A request whose client has given up is not counted: the table never received it.
    if (request.socket.destroyed) return;
    if (typeof fate === 'object') {
      answerWith(response, fate);
      return;
    }
    this.counts[fate] += 1;
    if (fate === 'cut') request.socket.destroy();
    else if (fate === 'answered') await this.#pass(request, text, response);
    else answerWith(response, exception(exceptions[fate], fate));
  }

  async #pass({ headers }: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const passedOn = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
    const answer = await fetch(this.#upstream, {
      method: 'POST',
      headers: passedOn.map((name): [string, string] => [name, String(headers[name])]),
      body,
    });
    const passedBack = ['x-amzn-requestid', 'x-amz-crc32'];
    answerWith(response, {
      status: answer.status,
      body: await answer.text(),
      headers: Object.fromEntries(
        passedBack.flatMap((name) => {
          const value = answer.headers.get(name);
          return value === null ? [] : [[name, value]];
        }),
      ),
    });
  }
}

/** An error in DynamoDB's form. */
export function exception(name: string, message = `words of AWS about ${name}`): TableAnswer {
  return { status: 400, body: JSON.stringify({ __type: name, message }) };
}

function answerWith(response: ServerResponse, { status, body, headers }: TableAnswer): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
  response.end(body);
}
