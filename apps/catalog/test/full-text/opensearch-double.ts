import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredDocument {
  version: number;
  /** Undefined: the document is deleted, and its version is kept. */
  source?: { key: string; type: string; words: string };
  /** Whether the document is searchable, after a refresh. */
  shown?: StoredDocument['source'];
}

interface RecordedRequest {
  method: string;
  path: string;
  body: string;
}

type Reply = [status: number, body: unknown];

/** An in-memory test double of the used part of OpenSearch, after its documentation. */
export class OpenSearchDouble {
  readonly indexes = new Map<string, Map<string, StoredDocument>>();
  readonly aliases = new Map<string, Set<string>>();
  readonly requests: RecordedRequest[] = [];
  /** Replaces the response of the double, or never responds; undefined: the double responds. */
  fault: (asked: RecordedRequest) => Reply | 'never' | undefined = () => undefined;
  /** Required `user:password`. */
  credentials: string | undefined;
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) => {
      response.destroy(error as Error);
    });
  });

  static async start(): Promise<OpenSearchDouble> {
    const double = new OpenSearchDouble();
    double.#server.listen(0, '127.0.0.1');
    await once(double.#server, 'listening');
    return double;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** The indexes behind the alias for searches. */
  searched(): string[] {
    return [...this.aliases].flatMap(([alias, names]) =>
      alias.endsWith('-text') ? [...names] : [],
    );
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const url = new URL(request.url ?? '', 'http://double');
    const asked = { method: request.method ?? '', path: decodeURIComponent(url.pathname), body };
    this.requests.push(asked);
    const wanted = `Basic ${Buffer.from(this.credentials ?? '').toString('base64')}`;
    const isStranger = this.credentials !== undefined && request.headers.authorization !== wanted;
    const reply: Reply | 'never' = isStranger
      ? [401, { error: { type: 'security_exception', reason: 'no' }, status: 401 }]
      : (this.fault(asked) ?? this.#answer(asked, url.searchParams));
    if (reply === 'never') return;
    const [status, answer] = reply;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(asked.method === 'HEAD' ? undefined : JSON.stringify(answer));
  }

  #answer({ method, path, body }: RecordedRequest, query: URLSearchParams): Reply {
    const [first = '', second = '', third = ''] = path.slice(1).split('/');
    if (first === '_aliases') return this.#changeAliases(JSON.parse(body) as never);
    if (first === '_alias') return method === 'HEAD' ? this.#has(second) : this.#behind(second);
    if (second === '_alias' && third === '') return this.#like(first);
    if (second === '' && method === 'PUT') return this.#create(first, JSON.parse(body) as never);
    if (second === '' && method === 'DELETE') return this.#delete(first);
    if (second === '_bulk') return [200, this.#bulk(first, body, query)];
    const index = this.#one(first);
    if (index === undefined) return missing;
    if (second === '_refresh') return this.#refresh(index);
    if (second === '_mapping') return [200, { acknowledged: true }];
    const shown = [...index.values()].flatMap((stored) => stored.shown ?? []);
    if (second === '_count') return [200, { count: shown.length }];
    if (second === '_search') return [200, search(shown, JSON.parse(body) as never)];
    throw new Error(`the double does not know ${method} ${path}`);
  }

  #has(alias: string): Reply {
    return [this.aliases.has(alias) ? 200 : 404, {}];
  }

  #behind(alias: string): Reply {
    const names = [...(this.aliases.get(alias) ?? [])];
    if (names.length === 0) return missing;
    return [200, Object.fromEntries(names.map((name) => [name, { aliases: { [alias]: {} } }]))];
  }

  #like(pattern: string): Reply {
    const start = pattern.replace(/\*$/, '');
    const names = [...this.indexes.keys()].filter((name) => name.startsWith(start));
    return [200, Object.fromEntries(names.map((name) => [name, { aliases: {} }]))];
  }

  #create(name: string, { aliases }: { aliases: Record<string, object> }): Reply {
    if (this.indexes.has(name))
      return [400, { error: { type: 'resource_already_exists_exception' } }];
    this.indexes.set(name, new Map());
    for (const alias of Object.keys(aliases)) this.aliases.set(alias, new Set([name]));
    return [200, { acknowledged: true }];
  }

  #delete(name: string): Reply {
    if (!this.indexes.delete(name)) return missing;
    for (const [alias, names] of this.aliases) {
      if (names.delete(name) && names.size === 0) this.aliases.delete(alias);
    }
    return [200, { acknowledged: true }];
  }

  #changeAliases({
    actions,
  }: {
    actions: Record<string, { index: string; alias: string; must_exist?: boolean }>[];
  }): Reply {
    for (const action of actions) {
      const [[kind, { index, alias, must_exist = true }] = ['', { index: '', alias: '' }]] =
        Object.entries(action);
      if (!this.indexes.has(index)) return missing;
      if (kind === 'add')
        this.aliases.set(alias, new Set([...(this.aliases.get(alias) ?? []), index]));
      else if (kind === 'remove_index') this.#delete(index);
      else if (!this.aliases.delete(alias) && must_exist) return missing;
    }
    return [200, { acknowledged: true }];
  }

  #bulk(alias: string, body: string, query: URLSearchParams) {
    const index =
      query.get('require_alias') === 'true' ? this.#behindAlias(alias) : this.#one(alias);
    const lines = body.split('\n').filter((line) => line !== '');
    const items: Record<string, { status: number; error?: object }>[] = [];
    while (lines.length > 0) {
      const [[kind, { _id, version }]] = Object.entries(
        JSON.parse(lines.shift() ?? '') as object,
      ) as [[string, { _id: string; version: number }]];
      const source =
        kind === 'index'
          ? (JSON.parse(lines.shift() ?? '') as StoredDocument['source'])
          : undefined;
      if (index === undefined) {
        items.push({ [kind]: { status: 404, error: { type: 'index_not_found_exception' } } });
        continue;
      }
      const before = index.get(_id);
      if (before !== undefined && before.version > version) {
        items.push({
          [kind]: { status: 409, error: { type: 'version_conflict_engine_exception' } },
        });
        continue;
      }
      index.set(_id, { version, shown: before?.shown, source });
      items.push({
        [kind]: { status: before?.source === undefined && kind === 'delete' ? 404 : 200 },
      });
    }
    if (query.get('refresh') === 'true' && index !== undefined) this.#refresh(index);
    const errors = items.some((item) =>
      Object.values(item).some(({ error }) => error !== undefined),
    );
    return { took: 1, errors, items };
  }

  #refresh(index: Map<string, StoredDocument>): Reply {
    for (const stored of index.values()) stored.shown = stored.source;
    return [200, { _shards: { failed: 0 } }];
  }

  #one(name: string): Map<string, StoredDocument> | undefined {
    return this.indexes.get(name) ?? this.#behindAlias(name);
  }

  #behindAlias(alias: string): Map<string, StoredDocument> | undefined {
    const [name = ''] = this.aliases.get(alias) ?? [];
    return this.indexes.get(name);
  }
}

const missing: Reply = [
  404,
  { error: { type: 'index_not_found_exception', reason: 'no such index' }, status: 404 },
];

type TermQuery = Record<string, { value: string; fuzziness?: number }>;
type Clause =
  | { term: TermQuery }
  | { prefix: TermQuery }
  | { fuzzy: TermQuery }
  | { constant_score: { filter: Clause } }
  | { bool: { should: Clause[] } };

interface SearchBody {
  size: number;
  query: { bool: { must: Clause[]; filter: { terms: { type: string[] } }[] } };
}

function search(shown: NonNullable<StoredDocument['source']>[], { size, query }: SearchBody) {
  const { must, filter } = query.bool;
  const hits = shown
    .filter(({ type }) => filter.every(({ terms }) => terms.type.includes(type)))
    .filter(({ words }) => must.every((clause) => holds(clause, words.split(' '))))
    .map(({ key, words }) => ({ _score: 100 / words.length, _source: { key } }))
    .sort(
      (left, right) =>
        right._score - left._score || (left._source.key < right._source.key ? -1 : 1),
    );
  return { took: 1, timed_out: false, hits: { hits: hits.slice(0, size) } };
}

function holds(clause: Clause, words: string[]): boolean {
  if ('bool' in clause) return clause.bool.should.some((inner) => holds(inner, words));
  if ('constant_score' in clause) return holds(clause.constant_score.filter, words);
  if ('term' in clause) return words.includes(clause.term['words']?.value ?? '');
  if ('prefix' in clause) {
    const { value = '' } = clause.prefix['words'] ?? {};
    return words.some((word) => word.startsWith(value));
  }
  const { value = '' } = clause.fuzzy['words'] ?? {};
  return words.some((word) => isOneLetterAway(word, value));
}

function isOneLetterAway(left: string, right: string): boolean {
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  const rests = [
    [left.slice(start + 1), right.slice(start + 1)],
    [left.slice(start + 1), right.slice(start)],
    [left.slice(start), right.slice(start + 1)],
  ];
  return left === right || rests.some(([one, other]) => one === other);
}
