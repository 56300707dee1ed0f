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

/** How long transient errors are retried, such as a throttled table or an index being built. */
const retryForMs = 60_000;
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
  async ask(path: string, asked: CatalogRequest = {}): Promise<unknown> {
    const giveUpAt = Date.now() + retryForMs;
    for (;;) {
      const answer = await this.#send(path, asked);
      if (answer.ok) return parseExactJson(await answer.text());
      const wait = Number(answer.headers.get('retry-after'));
      const passes = answer.status === 503 || answer.status === 429;
      if (!passes || Date.now() > giveUpAt) {
        throw new OperatorError(`${asked.method ?? 'GET'} ${path}: ${await refusal(answer)}`);
      }
      await answer.body?.cancel();
      await sleep(Math.min(maxWaitMs, Math.max(1, wait) * 1000), undefined, {
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

/** The error of a response, in one line. */
async function refusal(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { title, detail } = JSON.parse(text) as { title?: string; detail?: string };
    if (title !== undefined) return `${answer.status} ${title}: ${detail ?? ''}`;
  } catch {
    // Another server listens at this URL.
  }
  return `HTTP ${answer.status}, which is not a response of a catalog`;
}
