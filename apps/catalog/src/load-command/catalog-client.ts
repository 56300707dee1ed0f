import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { parseExactJson } from '@engawa/model';
import { messageOf } from '@engawa/service';

export interface CatalogClientOptions {
  url: string;
  token: string | undefined;
  signal: AbortSignal;
}

interface CatalogRequest {
  method?: string;
  /** By default JSON. */
  type?: string;
  body?: string;
}

/** How long transient errors are retried, such as a throttled table, a lost lock or an index being built. */
const maxRetryMs = 60_000;
const maxWaitMs = 5_000;

/** HTTP client of a running catalog. Error responses and failed connections are OperatorErrors of one line. */
export class CatalogClient {
  readonly url: string;
  readonly hasToken: boolean;
  readonly #token: string | undefined;
  readonly #signal: AbortSignal;

  constructor({ url, token, signal }: CatalogClientOptions) {
    this.url = url;
    this.hasToken = token !== undefined;
    this.#token = token;
    this.#signal = signal;
  }

  /** The body of the answer. @throws OperatorError */
  async request(path: string, request: CatalogRequest = {}): Promise<unknown> {
    const deadline = Date.now() + maxRetryMs;
    for (;;) {
      const response = await this.#send(path, request);
      if (response.ok) return parseExactJson(await response.text());
      const retryAfterSeconds = Number(response.headers.get('retry-after'));
      if (!isTransient(response) || Date.now() > deadline) {
        throw new OperatorError(`${request.method ?? 'GET'} ${path}: ${await refusal(response)}`);
      }
      await response.body?.cancel();
      // A proxy may send a date (RFC 9110, section 10.2.3), which is not a number.
      const waitMs = Math.max(1, retryAfterSeconds || 1) * 1000;
      await sleep(Math.min(maxWaitMs, waitMs), undefined, {
        signal: this.#signal,
      });
    }
  }

  async #send(path: string, { method = 'GET', type, body }: CatalogRequest): Promise<Response> {
    try {
      return await fetch(this.url + path, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
        },
        ...(body !== undefined && { body }),
        signal: this.#signal,
      });
    } catch (error) {
      this.#signal.throwIfAborted();
      throw new OperatorError(
        `the catalog at ${this.url} does not respond (${messageOf((error as Error).cause ?? error)}); start it with npm start, or set CATALOG_URL`,
      );
    }
  }
}

/** Of the problems with 409, those with Retry-After are temporary: a lost lock, or a search that is being built. */
function isTransient({ status, headers }: Response): boolean {
  return status === 503 || status === 429 || (status === 409 && headers.has('retry-after'));
}

/** The error of a response, in one line. */
async function refusal(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { title, detail } = JSON.parse(text) as { title?: string; detail?: string };
    if (title !== undefined) return `${response.status} ${title}: ${detail ?? ''}`;
  } catch {
    // Another server listens at this URL.
  }
  return `HTTP ${response.status}, which is not a response of a catalog`;
}
