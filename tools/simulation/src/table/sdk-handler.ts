import { HttpResponse } from '@smithy/core/transport';
import { exceptionAnswer } from '@engawa/dynamodb-simulator/rules';
import { VirtualProcess } from '../kernel/index.ts';
import type { HttpHandler } from '@engawa/table/http-handler';
import type { Document } from '@engawa/dynamodb-simulator/rules';
import type { TableResponse, TableEndpoint } from './table-endpoint.ts';

type Handle = HttpHandler['handle'];
type Request = Parameters<Handle>[0];

export interface SdkHandlerOptions {
  endpoint: TableEndpoint;
  /** DynamoDB's clock (epoch milliseconds), for the Date header. */
  now: () => number;
}

/**
 * A request handler of the AWS SDK that passes requests to the table, in DynamoDB's JSON protocol,
 * without checking signatures. A lost response resets the connection; a stuck response never
 * arrives. An ended process gets no response, a paused process gets it after the pause.
 */
export function sdkHandler({ endpoint, now }: SdkHandlerOptions): Handle {
  return (request, options) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Handle>>>();
    const process = VirtualProcess.current;
    const deliver = (work: () => void) => {
      if (process === undefined) work();
      else process.deliver('response of the table', work);
    };
    const signal = options?.abortSignal as AbortSignal | undefined;
    const abort = () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    void ask(endpoint, request).then((answer) => {
      if (answer.kind === 'stuck') return;
      deliver(() => {
        signal?.removeEventListener('abort', abort);
        if (answer.kind === 'answer') resolve({ response: responseOf(answer, now()) });
        else reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
      });
    });
    return promise;
  };
}

async function ask(endpoint: TableEndpoint, request: Request): Promise<TableResponse> {
  const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
  const { body = '' } = request;
  const input = parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  if (input !== undefined) return endpoint.answer(operation, input);
  const refusal = exceptionAnswer('SerializationException', 'the body is not JSON');
  return { kind: 'answer', ...refusal };
}

function parse(text: string): Document | undefined {
  try {
    return JSON.parse(text) as Document;
  } catch {
    return undefined;
  }
}

function responseOf(
  { status, body }: TableResponse & { kind: 'answer' },
  now: number,
): HttpResponse {
  const headers = {
    date: new Date(now).toUTCString(),
    'content-type': 'application/x-amz-json-1.0',
  };
  return new HttpResponse({ statusCode: status, headers, body: Buffer.from(JSON.stringify(body)) });
}
