import { ItemsRead } from './items-read.ts';
import { unmarshal } from '../items/unmarshal.ts';
import type {
  AttributeValue,
  QueryCommandInput,
  QueryCommandOutput,
  ReturnConsumedCapacity,
} from '@aws-sdk/client-dynamodb';
import type { RequestSender } from '../client/request-sender.ts';
import type { ReadingQueryInput } from './items-read.ts';

const operation = 'Query';

/** A page of items, and the rest of the response. */
export interface QueryOutput extends Pick<
  QueryCommandOutput,
  'ConsumedCapacity' | 'LastEvaluatedKey'
> {
  read: ItemsRead;
}

export interface QueryClientOptions {
  sender: RequestSender;
  /** `ReturnConsumedCapacity` of each request. */
  capacity: ReturnConsumedCapacity | undefined;
}

/**
 * Query with items that are parsed from JSON to documents in one pass: the SDK's deserializer walks every value by its
 * schema and the document client once more, 150 ms for a page of 1 MB (docs/adr/0018).
 */
export class QueryClient {
  readonly #options: QueryClientOptions;

  constructor(options: QueryClientOptions) {
    this.#options = options;
  }

  /** @throws an error like the SDK's */
  async send(query: QueryCommandInput, signal: AbortSignal | undefined): Promise<QueryOutput> {
    const { sender, capacity } = this.#options;
    const read = new ItemsRead();
    const plain = { ...query, ReturnConsumedCapacity: capacity };
    const input: ReadingQueryInput = { ...plain, read };
    const output = await sender.send({
      ...{ operation, index: query.IndexName ?? 'table', input, signal },
      body: JSON.stringify(plain, base64Binaries),
      onOutput: (response) => {
        const { Items = [], ...rest } = response as { Items?: Record<string, AttributeValue>[] };
        read.replace(Items.map(unmarshal));
        return rest;
      },
    });
    return { ...output, read };
  }
}

/** Binary values are base64 in DynamoDB's JSON. */
function base64Binaries(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
