import { dynamoDbError, startDynamoDbProxy } from '@engawa/testing';
import type { DynamoDbProxy, ProxiedRequest, ProxiedResponse } from '@engawa/testing';

type StringAttributes = Record<string, { S?: string }>;
interface WriteRequest {
  PutRequest?: { Item: StringAttributes };
  DeleteRequest?: { Key: StringAttributes };
}

/** A request on its way to the engine. */
export interface ReceivedRequest {
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
  readonly requests: ReceivedRequest[] = [];
  reply: (request: ReceivedRequest) => Reply = () => 'forward';
  readonly #proxy: DynamoDbProxy;

  static async start(upstream: string): Promise<FaultProxy> {
    const proxy = await startDynamoDbProxy(upstream, (request) => started.#respond(request));
    const started = new FaultProxy(proxy);
    return started;
  }

  private constructor(proxy: DynamoDbProxy) {
    this.#proxy = proxy;
  }

  get endpoint(): string {
    return this.#proxy.endpoint;
  }

  /** The requests of one operation so far. */
  of(operation: string): ReceivedRequest[] {
    return this.requests.filter((request) => request.operation === operation);
  }

  close(): Promise<void> {
    return this.#proxy.close();
  }

  async #respond(request: ProxiedRequest): Promise<ProxiedResponse | undefined> {
    const { operation } = request;
    const body = JSON.parse(request.body) as Record<string, unknown>;
    this.requests.push({ operation, body });
    const reply = this.reply({ operation, body });
    if (typeof reply === 'string') return replyPlainly(reply, request);
    if ('status' in reply) return errorOf(reply);
    if ('giveBack' in reply) return forwardSome(request, body, reply.giveBack);
    await reply.after;
    return reply.answer ? success(reply.answer) : request.forward();
  }
}

async function replyPlainly(
  reply: Extract<Reply, string>,
  { forward, connection }: ProxiedRequest,
): Promise<ProxiedResponse | undefined> {
  if (reply === 'forward') return forward();
  if (reply === 'hang after the head') {
    connection.writeHead(200).flushHeaders();
  } else if (reply === 'drip') {
    connection.writeHead(200);
    const drip = setInterval(() => connection.write(' '), 10);
    connection.once('close', () => clearInterval(drip));
  } else if (reply !== 'hang') {
    if (reply === 'reset after it took place') await forward();
    connection.socket?.resetAndDestroy();
  }
  return undefined;
}

async function forwardSome(
  { forward }: ProxiedRequest,
  body: Record<string, unknown>,
  giveBack: (item: { pk: string; sk: string }) => boolean,
): Promise<ProxiedResponse> {
  const [[table, writes] = ['', []]] = Object.entries(body['RequestItems'] ?? {}) as [
    string,
    WriteRequest[],
  ][];
  const comesBack = ({ PutRequest, DeleteRequest }: WriteRequest) => {
    const { pk, sk } = PutRequest?.Item ?? DeleteRequest?.Key ?? {};
    return giveBack({ pk: pk?.S ?? '', sk: sk?.S ?? '' });
  };
  const returned = writes.filter(comesBack);
  if (returned.length === writes.length) return errorOf(throttled);
  const kept = writes.filter((write) => !comesBack(write));
  const answer = await forward(JSON.stringify({ ...body, RequestItems: { [table]: kept } }));
  const unprocessed = returned.length === 0 ? {} : { [table]: returned };
  return success({ ...(JSON.parse(answer.body) as object), UnprocessedItems: unprocessed });
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

function errorOf({
  status,
  type,
  more,
}: {
  status: number;
  type: string;
  more?: object;
}): ProxiedResponse {
  return { ...dynamoDbError(type, undefined, more), status };
}

function success(body: object): ProxiedResponse {
  return { status: 200, body: JSON.stringify(body) };
}
