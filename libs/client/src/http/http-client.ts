import { problemOf } from './problem-error.ts';
import { requestOf } from './request-of.ts';
import { delay, isSafeToRepeat, maxTimerMs, requestedRetry, defaultRetries } from './retry.ts';
import type { TypedOperation } from './operation.ts';
import type { RequestParts } from './request-of.ts';
import type { RetryPolicy, WholeResponse } from './retry.ts';

export interface HttpClientOptions extends Partial<RetryPolicy> {
  /** A bearer token, or a function that returns a current one for each request. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** Timeout of each attempt; 30,000 by default. With Infinity, `fetch` has to limit attempts. */
  timeoutMs?: number;
  fetch?: typeof fetch;
  /** Replaces `JSON.parse`, for instance to keep more digits than a double has. */
  parseJson?: (text: string) => unknown;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Whether the request may be retried; by default according to its method and headers. */
  isSafeToRepeat?: boolean;
}

export interface ServiceResponse<Body> {
  status: number;
  body: Body;
  /** The ETag, for `ifMatch`. */
  etag: string | undefined;
}

/** Delay before the first retry after a connection error. */
const firstDelayMs = 100;

/** Sends operations to one service. */
export class HttpClient {
  readonly #url: string;
  readonly #options: HttpClientOptions;
  readonly #retries: RetryPolicy;

  constructor(url: string, options: HttpClientOptions) {
    this.#url = url.replace(/\/+$/, '');
    this.#options = options;
    this.#retries = { ...defaultRetries, ...options };
  }

  /**
   * Sends a request, with retries, and parses the response.
   * @throws ProblemError for a response of status 400 or above, or one that is not JSON
   * @throws TypeError where the connection fails, also within the response
   * @throws DOMException `TimeoutError`, or the reason of `signal`
   */
  async send<Input, Output>(
    operation: TypedOperation<Input, Output>,
    input: Input,
    options: CallOptions = {},
  ): Promise<ServiceResponse<Output>> {
    const request = requestOf(operation, input as Record<string, unknown>);
    const { response, text } = await this.#sendWithRetries(request, options);
    if (!response.ok || !isJson(response, text)) throw problemOf(response, text);
    const { parseJson = JSON.parse } = this.#options;
    return {
      status: response.status,
      body: (text === '' ? undefined : parseJson(text)) as Output,
      etag: response.headers.get('etag') ?? undefined,
    };
  }

  async #sendWithRetries(request: RequestParts, options: CallOptions): Promise<WholeResponse> {
    const { maxRetries, maxRetryDelayMs } = this.#retries;
    const mayRepeat = options.isSafeToRepeat ?? isSafeToRepeat(request.method, request.headers);
    for (let retry = 0; ; retry += 1) {
      const isLast = retry >= maxRetries;
      const whole = await this.#attempt(request, options).catch((error: unknown) => {
        // The connection failed, perhaps within the response: the request may have taken effect.
        if (isLast || !mayRepeat || (error as Error).name !== 'TypeError') throw error;
        return undefined;
      });
      let delayMs = firstDelayMs * 2 ** retry;
      if (whole !== undefined) {
        const requested = requestedRetry(whole, request.method);
        if (isLast || requested === undefined || requested.delayMs > maxRetryDelayMs) return whole;
        if (!mayRepeat && !requested.hadNoEffect) return whole;
        ({ delayMs } = requested);
      }
      await delay(delayMs, options.signal);
    }
  }

  async #attempt(
    { method, address, headers, body }: RequestParts,
    { signal }: CallOptions,
  ): Promise<WholeResponse> {
    const { timeoutMs = 30_000, token } = this.#options;
    const send = this.#options.fetch ?? fetch;
    const bearer = typeof token === 'function' ? await token() : token;
    const response = await send(this.#url + address, {
      method,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      ...(body !== undefined && { body }),
      ...limited(signal, timeoutMs),
    });
    return { response, text: await response.text() };
  }
}

/** A sign-in page of a proxy is HTML, mostly with status 200. */
function isJson({ headers }: Response, text: string): boolean {
  return text === '' || /\bjson\b/.test(headers.get('content-type') ?? 'json');
}

/** A signal with a timer lives until its time is over, so an attempt without a limit has none. */
function limited(signal: AbortSignal | undefined, timeoutMs: number): { signal?: AbortSignal } {
  if (timeoutMs === Infinity) return signal === undefined ? {} : { signal };
  const timeout = AbortSignal.timeout(Math.min(timeoutMs, maxTimerMs));
  return { signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) };
}
