import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { parseExactJson } from '@engawa/model';
import { messageOf } from '@engawa/service';

export interface CatalogClientOptions {
  url: string;
  token: string | undefined;
  signal: AbortSignal;
}

interface Asked {
  method?: string;
  /** By default JSON. */
  type?: string;
  body?: string;
}

/** What passes by itself, such as a throttled table or an index under way, is waited for so long (milliseconds). */
const patience = 60_000;
const longestWait = 5_000;

/** A running catalogue. Whatever it answers but yes, and no answer, is an OperatorError of one line. */
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
  async ask(path: string, asked: Asked = {}): Promise<unknown> {
    const giveUpAt = Date.now() + patience;
    for (;;) {
      const answer = await this.#send(path, asked);
      if (answer.ok) return parseExactJson(await answer.text());
      const wait = Number(answer.headers.get('retry-after'));
      const passes = answer.status === 503 || answer.status === 429;
      if (!passes || Date.now() > giveUpAt) {
        throw new OperatorError(`${asked.method ?? 'GET'} ${path}: ${await refusal(answer)}`);
      }
      await answer.body?.cancel();
      await sleep(Math.min(longestWait, Math.max(1, wait) * 1000), undefined, {
        signal: this.#signal,
      });
    }
  }

  async #send(path: string, { method = 'GET', type, body }: Asked): Promise<Response> {
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
        `the catalogue at ${this.url} does not answer (${messageOf((error as Error).cause ?? error)}); start it with npm start, or set CATALOG_URL`,
      );
    }
  }
}

/** What was wrong, in one line. */
async function refusal(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { title, detail } = JSON.parse(text) as { title?: string; detail?: string };
    if (title !== undefined) return `${answer.status} ${title}: ${detail ?? ''}`;
  } catch {
    // Something else than a catalogue is there.
  }
  return `HTTP ${answer.status}, which is no answer of a catalogue`;
}
