import { Agent, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { nameOfItem } from './rules/held-items.ts';
import { keyOf } from './rules/item-key.ts';
import { normalizeItem } from './rules/normalize.ts';
import { parseTable } from './rules/schema.ts';
import { storedItem } from './rules/stored-item.ts';
import { readText } from './exchange.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { Item } from './rules/attribute.ts';
import type { Document, DynamoDbResponse } from './rules/exceptions.ts';
import type { TableSchema } from './rules/schema.ts';
import type { StoredItem } from './rules/stored-item.ts';
import type { TextResponse } from './exchange.ts';

/** What BatchGetItem takes at once. */
const keysAtOnce = 100;
/** Headers that are about one connection, or that we set. */
const notPassedOn = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
]);

/** The DynamoDB API behind the simulator. Requests are forwarded with the client's headers, so with its credentials. */
export class Upstream {
  readonly #url: URL;
  readonly #agent: Agent | TlsAgent;
  readonly #tables = new Map<string, Promise<TableSchema>>();

  constructor(url: string) {
    this.#url = new URL(url);
    this.#agent = new (this.#url.protocol === 'https:' ? TlsAgent : Agent)({ keepAlive: true });
  }

  /** @throws Error when there is no answer */
  async ask(
    operation: string,
    body: Document,
    headers: IncomingHttpHeaders,
  ): Promise<DynamoDbResponse> {
    const { status, text } = await this.pass(operation, JSON.stringify(body), headers);
    return { status, body: JSON.parse(text || '{}') as Document };
  }

  /** Sends the text of a request. @throws Error when there is no answer */
  pass(operation: string, text: string, headers: IncomingHttpHeaders): Promise<TextResponse> {
    const passed = Object.entries(headers).filter(([name]) => !notPassedOn.has(name));
    const ask = this.#url.protocol === 'https:' ? tlsRequest : request;
    return new Promise((resolve, reject) => {
      const sent = ask(this.#url, {
        method: 'POST',
        agent: this.#agent,
        headers: {
          ...Object.fromEntries(passed),
          'x-amz-target': `DynamoDB_20120810.${operation}`,
          'content-length': Buffer.byteLength(text),
        },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const status = response.statusCode ?? 500;
        readText(response).then((answer) => resolve({ status, text: answer }), reject);
      });
      sent.end(text);
    });
  }

  /** @throws UpstreamRefusal with what DescribeTable says when there is no such table */
  table(name: string, headers: IncomingHttpHeaders): Promise<TableSchema> {
    const known = this.#tables.get(name) ?? this.#describe(name, headers);
    this.#tables.set(name, known);
    known.catch(() => this.#tables.delete(name));
    return known;
  }

  /** For when somebody changes or deletes it. */
  forgetTable(name: string): void {
    this.#tables.delete(name);
  }

  /** The items with these valid keys as they are now; undefined where there is none. */
  async items(
    table: TableSchema,
    keys: readonly Item[],
    headers: IncomingHttpHeaders,
  ): Promise<(StoredItem | undefined)[]> {
    const found: unknown[] = [];
    for (let start = 0; start < keys.length; start += keysAtOnce) {
      let wanted: Item[] = uniqueKeys(keys.slice(start, start + keysAtOnce));
      while (wanted.length > 0) {
        const RequestItems = { [table.name]: { Keys: wanted, ConsistentRead: true } };
        const { status, body } = await this.ask('BatchGetItem', { RequestItems }, headers);
        if (status !== 200) throw new UpstreamRefusal({ status, body });
        found.push(...((body['Responses'] as Record<string, unknown[]>)[table.name] ?? []));
        const left = body['UnprocessedKeys'] as Record<string, { Keys: Item[] }> | undefined;
        wanted = left?.[table.name]?.Keys ?? [];
      }
    }
    const stored = found.map((each) => {
      const item = normalizeItem(each);
      return storedItem(table, keyOf(table.key, item), item);
    });
    const byKey = new Map(stored.map((item) => [nameOfItem(table.name, item), item]));
    return keys.map((key) => byKey.get(nameOfItem(table.name, keyOf(table.key, key))));
  }

  close(): void {
    this.#agent.destroy();
  }

  async #describe(name: string, headers: IncomingHttpHeaders): Promise<TableSchema> {
    const { status, body } = await this.ask('DescribeTable', { TableName: name }, headers);
    if (status !== 200) throw new UpstreamRefusal({ status, body });
    return parseTable(body['Table'] as Document);
  }
}

/** An answer of no, to be passed on as it is. */
export class UpstreamRefusal extends Error {
  override readonly name = 'UpstreamRefusal';
  readonly answer: DynamoDbResponse;

  constructor(answer: DynamoDbResponse) {
    super(JSON.stringify(answer.body));
    this.answer = answer;
  }
}

/** BatchGetItem refuses a key that is given twice. */
function uniqueKeys(keys: readonly Item[]): Item[] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}
