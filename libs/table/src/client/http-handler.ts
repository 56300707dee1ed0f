import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { crc32 } from 'node:zlib';
import { HttpResponse } from '@smithy/core/transport';
import { MalformedResponse } from './response-check.ts';
import type { Agent as HttpAgent, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';

/** The properties of the SDK's HTTP request that requests of DynamoDB have. */
export interface TableRequest {
  protocol: string;
  hostname: string;
  port?: number | undefined;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
}

export interface HttpHandlerOptions {
  httpAgent: HttpAgent;
  httpsAgent: HttpsAgent;
}

export interface HandleOptions {
  /** Node's; the SDK's type also allows its own older class. */
  abortSignal?: unknown;
}

/** Error codes for which the SDK expects the name `TimeoutError`: it retries them. */
const retriedCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * A request handler of the AWS SDK for DynamoDB: it sends a complete body, and resolves with the complete response. The
 * SDK's own handler supports streams, and sets several timers for each request.
 */
export class HttpHandler {
  /** Read by the SDK for its user agent. */
  readonly metadata = { handlerProtocol: 'http/1.1' };
  readonly #options: HttpHandlerOptions;

  constructor(options: HttpHandlerOptions) {
    this.#options = options;
  }

  /** @throws an AbortError, or an error of Node with its code */
  handle(request: TableRequest, options: HandleOptions = {}): Promise<{ response: HttpResponse }> {
    const abortSignal = options.abortSignal as AbortSignal | undefined;
    const { promise, resolve, reject } = Promise.withResolvers<{ response: HttpResponse }>();
    if (abortSignal?.aborted === true) {
      reject(abortError(abortSignal));
      return promise;
    }
    const fail = (error: unknown) => reject(named(error as NodeJS.ErrnoException));
    const sent = this.#request(request, (message) => {
      readBody(message)
        .then((body) => {
          const headers = message.headers as Record<string, string>;
          checkBody(body, headers);
          const { statusCode = 0, statusMessage: reason } = message;
          resolve({ response: new HttpResponse({ statusCode, reason, headers, body }) });
        })
        .catch(fail);
    });
    sent.on('error', fail);
    if (abortSignal !== undefined) {
      const abort = () => {
        reject(abortError(abortSignal));
        sent.destroy();
      };
      abortSignal.addEventListener('abort', abort, { once: true });
      sent.once('close', () => abortSignal.removeEventListener('abort', abort));
    }
    sent.end(request.body);
    return promise;
  }

  /** Closes all connections. */
  destroy(): void {
    this.#options.httpAgent.destroy();
    this.#options.httpsAgent.destroy();
  }

  /** Required by the SDK's interface; the handler has no options of the SDK. */
  updateHttpClientConfig(): void {
    return undefined;
  }

  /** Required by the SDK's interface. */
  httpHandlerConfigs(): HttpHandlerOptions {
    return this.#options;
  }

  #request(
    { protocol, hostname, port, method, path, headers }: TableRequest,
    respond: (message: IncomingMessage) => void,
  ) {
    // The SDK keeps the brackets of an IPv6 address.
    const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    const options = { host, port, method, path, headers: headers as OutgoingHttpHeaders };
    return protocol === 'https:'
      ? requestHttps({ ...options, agent: this.#options.httpsAgent }, respond)
      : requestHttp({ ...options, agent: this.#options.httpAgent }, respond);
  }
}

/** @throws the error of a connection that ends before the body does */
function readBody(message: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.on('end', () => resolve(Buffer.concat(chunks)));
  message.on('error', reject);
  return promise;
}

/** @throws MalformedResponse where the body differs from the checksum that DynamoDB sends with it */
function checkBody(body: Buffer, { 'x-amz-crc32': checksum }: Record<string, string>): void {
  if (checksum !== undefined && crc32(body) !== Number(checksum)) {
    throw new MalformedResponse('its checksum differs');
  }
}

function named(error: NodeJS.ErrnoException): Error {
  return retriedCodes.has(error.code ?? '')
    ? Object.assign(error, { name: 'TimeoutError' })
    : error;
}

function abortError(signal: AbortSignal): Error {
  const error = new Error('request aborted', { cause: signal.reason });
  return Object.assign(error, { name: 'AbortError' });
}
