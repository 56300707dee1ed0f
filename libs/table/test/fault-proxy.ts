import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type StringAttributes = Record<string, { S?: string }>;
interface WriteRequest {
  PutRequest?: { Item: StringAttributes };
  DeleteRequest?: { Key: StringAttributes };
}

/** A request on its way to the engine. */
export interface ProxiedRequest {
  /** `BatchWriteItem` */
  operation: string;
  body: Record<string, unknown>;
}

export type Reply =
  | 'forward'
  | 'hang'
  | 'hang after the head'
  | 'drip'
  | 'reset'
  | 'reset after it took place'
  /** An exception in DynamoDB's form. */
  | { status: number; type: string; more?: object }
  /** Waits for the promise, then returns this reply or forwards the request. */
  | { after: Promise<unknown>; answer?: object }
  /** Forwards only the items that are not returned as unprocessed; if none remain, the whole request is throttled. */
  | { giveBack: (item: { pk: string; sk: string }) => boolean };

/** A proxy in front of a DynamoDB API that forwards all requests and injects faults on demand. */
export class FaultProxy {
  readonly requests: ProxiedRequest[] = [];
  reply: (request: ProxiedRequest) => Reply = () => 'forward';
  readonly #server: Server;
  readonly #upstream: string;

  private constructor(upstream: string) {
    this.#upstream = upstream;
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  static async start(upstream: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(upstream);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The requests of one operation so far. */
  of(operation: string): ProxiedRequest[] {
    return this.requests.filter((request) => request.operation === operation);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await request.toArray()).toString();
    const target = String(request.headers['x-amz-target']);
    const proxied = {
      operation: target.split('.')[1] ?? '',
      body: JSON.parse(text) as Record<string, unknown>,
    };
    this.requests.push(proxied);
    const reply = this.reply(proxied);
    if (typeof reply === 'string') await this.#replyPlainly(reply, target, text, response);
    else if ('after' in reply) {
      await reply.after;
      if (reply.answer) send(response, 200, reply.answer);
      else await this.#replyPlainly('forward', target, text, response);
    } else if ('status' in reply) sendException(response, reply);
    else await this.#forwardSome(target, proxied.body, reply.giveBack, response);
  }

  async #replyPlainly(
    reply: Extract<Reply, string>,
    target: string,
    text: string,
    response: ServerResponse,
  ): Promise<void> {
    if (reply === 'hang') return;
    if (reply === 'hang after the head') {
      response.writeHead(200).flushHeaders();
    } else if (reply === 'drip') {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 10);
      response.once('close', () => clearInterval(drip));
    } else if (reply === 'forward') {
      const answer = await this.#ask(target, text);
      send(response, answer.status, await answer.json());
    } else {
      if (reply === 'reset after it took place') await this.#ask(target, text);
      response.socket?.resetAndDestroy();
    }
  }

  async #forwardSome(
    target: string,
    body: Record<string, unknown>,
    giveBack: (item: { pk: string; sk: string }) => boolean,
    response: ServerResponse,
  ): Promise<void> {
    const [[table, writes] = ['', []]] = Object.entries(body['RequestItems'] ?? {}) as [
      string,
      WriteRequest[],
    ][];
    const comesBack = ({ PutRequest, DeleteRequest }: WriteRequest) => {
      const { pk, sk } = PutRequest?.Item ?? DeleteRequest?.Key ?? {};
      return giveBack({ pk: pk?.S ?? '', sk: sk?.S ?? '' });
    };
    const returned = writes.filter(comesBack);
    if (returned.length === writes.length) {
      sendException(response, throttled);
      return;
    }
    const kept = writes.filter((write) => !comesBack(write));
    const taken = { ...body, RequestItems: { [table]: kept } };
    const answer = (await (await this.#ask(target, JSON.stringify(taken))).json()) as object;
    const unprocessed = returned.length === 0 ? {} : { [table]: returned };
    send(response, 200, { ...answer, UnprocessedItems: unprocessed });
  }

  #ask(target: string, body: string): Promise<Response> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      'x-amz-date': '20260101T000000Z',
    };
    return fetch(this.#upstream, { method: 'POST', headers, body });
  }
}

/** A hot partition, in DynamoDB's words. */
export const throttled = {
  status: 400,
  type: 'ProvisionedThroughputExceededException',
  more: {
    ThrottlingReasons: [
      {
        reason: 'TableWriteKeyRangeThroughputExceeded',
        resource: 'arn:aws:dynamodb:eu-west-1:123456789012:table/engawa',
      },
    ],
  },
};

export const accessDenied = { status: 400, type: 'AccessDeniedException' };

function sendException(
  response: ServerResponse,
  { status, type, more }: { status: number; type: string; more?: object },
): void {
  const __type = `com.amazonaws.dynamodb.v20120810#${type}`;
  send(response, status, { __type, message: `words of AWS about ${type}`, ...more });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(body));
}
