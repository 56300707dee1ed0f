import { Pool } from 'undici';
import { signedHeaders } from './sign.ts';

/** Items of a request, the most that BatchWriteItem takes. */
const batch = 25;
/** Requests in flight. */
const connections = 8;

const target = 'DynamoDB_20120810.BatchWriteItem';
const credentials = { region: 'local', accessKeyId: 'local', secretAccessKey: 'local' };

/** Stores items with as little as can be: hand-signed BatchWriteItem requests over undici. */
export class RawTable {
  readonly #pool: Pool;
  readonly #host: string;
  readonly #tableName: string;

  constructor({ endpoint, tableName }: { endpoint: string; tableName: string }) {
    this.#pool = new Pool(endpoint, { connections });
    this.#host = new URL(endpoint).host;
    this.#tableName = tableName;
  }

  /**
   * Writes items (DynamoDB's JSON), 25 per request. Items are created lazily; keys in a request must be unique.
   * @throws Error when the table rejects a request
   */
  async store(items: Iterable<object>): Promise<void> {
    const source = Iterator.from(items);
    const writeBatches = async (): Promise<void> => {
      for (;;) {
        const some = takeFrom(source);
        if (some.length === 0) return;
        await this.#storeBatch(some);
      }
    };
    await Promise.all(Array.from({ length: connections }, writeBatches));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #storeBatch(items: readonly object[]): Promise<void> {
    const puts = items.map((Item) => ({ PutRequest: { Item } }));
    const body = JSON.stringify({
      RequestItems: { [this.#tableName]: puts },
      ReturnConsumedCapacity: 'INDEXES',
    });
    const headers = signedHeaders({ host: this.#host, target, body, ...credentials });
    const answer = await this.#pool.request({ method: 'POST', path: '/', headers, body });
    const { UnprocessedItems } = (await answer.body.json()) as { UnprocessedItems?: object };
    if (answer.statusCode !== 200 || Object.keys(UnprocessedItems ?? {}).length > 0) {
      throw new Error(`the table did not take a batch: ${answer.statusCode}`);
    }
  }
}

function takeFrom(source: Iterator<object>): object[] {
  const items: object[] = [];
  while (items.length < batch) {
    const next = source.next();
    if (next.done === true) break;
    items.push(next.value);
  }
  return items;
}
