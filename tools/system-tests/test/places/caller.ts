import type { TokenIssuer } from '@engawa/testing';
import type { Services } from '../services.ts';
import type { Request, ServiceName } from './requests.ts';

export const serviceNames = ['ingestion', 'registry', 'query', 'catalog'] as const;

const allScopes = [...serviceNames.map((name) => `${name}:admin`), 'query:table'].join(' ');

/** Maximum number of pages per list; more than any list here has. */
const mostPages = 200;

export interface TextResponse {
  status: number;
  /** The bodies of all pages with relevant headers and the clear text of cursors. */
  text: string;
}

/** A caller with or without a token. */
export class Caller {
  readonly #urls: Services['urls'];
  readonly #token: string | undefined;

  static async of(
    urls: Services['urls'],
    issuer: TokenIssuer,
    { places, scope = allScopes }: { places: unknown; scope?: string | undefined },
  ): Promise<Caller> {
    // For as long as a test of every route takes on a busy machine.
    const exp = Math.floor(Date.now() / 1000) + 3600;
    return new Caller(urls, await issuer.token({ scope, sub: 'caller', places, exp }));
  }

  constructor(urls: Services['urls'], token: string | undefined) {
    this.#urls = urls;
    this.#token = token;
  }

  /** All pages. */
  async ask(request: Request): Promise<TextResponse> {
    const first = await this.#page(request);
    let { text, cursor } = first;
    for (let pages = 1; cursor !== undefined; pages++) {
      if (pages > mostPages) throw new Error(`${request.path}: a list without end`);
      const joint = request.path.includes('?') ? '&' : '?';
      const page = await this.#page({
        ...request,
        path: `${request.path}${joint}cursor=${cursor}`,
      });
      text += page.text;
      cursor = page.cursor;
    }
    return { status: first.status, text };
  }

  async put(service: ServiceName, path: string, body: object): Promise<void> {
    const answer = await fetch(this.#urls[service] + path, {
      method: 'PUT',
      headers: { ...this.#authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  }

  get #authorization(): Record<string, string> {
    return this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
  }

  async #page({ service, path, method, headers, body }: Request) {
    const answer = await fetch(this.#urls[service] + path, {
      method,
      headers: { ...headers, ...this.#authorization },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const type = answer.headers.get('content-type') ?? '';
    // A stream of events has no end. What it shows is tested in apps/ingestion/test/live-access.test.ts.
    const isStream = type.startsWith('text/event-stream');
    const said = isStream ? '' : await answer.text();
    if (isStream) await answer.body?.cancel();
    const isJson = type.startsWith('application/json');
    const { cursor } = (isJson ? JSON.parse(said) : {}) as { cursor?: string };
    const told = ['etag', 'location', 'www-authenticate'].map((name) => answer.headers.get(name));
    const hidden = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
    // The parts that differ between responses to any request.
    const text = [said.replace(/"(requestId|process)":"[^"]*"/g, ''), ...told, hidden].join('\n');
    return { status: answer.status, text, cursor };
  }
}
