import { itemSize } from '@engawa/model';
import { rawItemSize } from '../items/raw-item.ts';
import { unmarshal } from '../items/unmarshal.ts';
import { ItemsRead } from './items-read.ts';
import type {
  QueryCommandInput,
  QueryCommandOutput,
  ReturnConsumedCapacity,
} from '@aws-sdk/client-dynamodb';
import type { Document } from '@engawa/model';
import type { DirectRequest, RequestSender } from '../client/request-sender.ts';
import type { RawItem } from '../items/raw-item.ts';
import type { ReadingQueryInput } from './items-read.ts';

const operation = 'Query';

type PageOutput = Pick<QueryCommandOutput, 'ConsumedCapacity' | 'LastEvaluatedKey'>;

/** A page of items, and the rest of the response. */
export interface QueryOutput<Item = Document> extends PageOutput {
  read: ItemsRead<Item>;
}

/** The number of items of a page, and the rest of the response. */
export interface CountOutput extends PageOutput {
  Count?: number;
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
  send(query: QueryCommandInput, signal: AbortSignal | undefined): Promise<QueryOutput> {
    return this.#read(query, signal, new ItemsRead<Document>(itemSize), unmarshal);
  }

  /**
   * As `send`, with the items as in the response, of any type.
   * @throws an error like the SDK's
   */
  sendRaw(
    query: QueryCommandInput,
    signal: AbortSignal | undefined,
  ): Promise<QueryOutput<RawItem>> {
    return this.#read(query, signal, new ItemsRead<RawItem>(rawItemSize), (item) => item);
  }

  async #read<Item>(
    query: QueryCommandInput,
    signal: AbortSignal | undefined,
    read: ItemsRead<Item>,
    parse: (item: RawItem) => Item,
  ): Promise<QueryOutput<Item>> {
    const convertItem = (item: unknown) => parse(item as RawItem);
    const onOutput = (response: object) => {
      const { Items = [], ...rest } = response as { Items?: Item[] };
      read.replace(Items);
      return rest;
    };
    const output = await this.#send(query, signal, { read, convertItem, onOutput });
    return { ...output, read };
  }

  /**
   * @param query without items in its response
   * @throws an error like the SDK's
   */
  count(query: QueryCommandInput, signal: AbortSignal | undefined): Promise<CountOutput> {
    return this.#send(query, signal);
  }

  #send(
    query: QueryCommandInput,
    signal: AbortSignal | undefined,
    reading?: Pick<ReadingQueryInput, 'read'> &
      Required<Pick<DirectRequest, 'convertItem' | 'onOutput'>>,
  ): Promise<object> {
    const { sender, capacity } = this.#options;
    const plain = { ...query, ReturnConsumedCapacity: capacity };
    const input: QueryCommandInput | ReadingQueryInput = reading
      ? { ...plain, read: reading.read }
      : plain;
    return sender.send({
      ...{ operation, index: query.IndexName ?? 'table', input, signal },
      body: bodyOf(plain),
      ...(reading && { convertItem: reading.convertItem, onOutput: reading.onOutput }),
    });
  }
}

/** Calls the replacer, which is slow, only where a value is neither a text nor a number. */
function bodyOf(query: QueryCommandInput): string {
  const values = Object.values(query.ExpressionAttributeValues ?? {});
  const isPlain = values.every(({ S, N }) => S !== undefined || N !== undefined);
  return JSON.stringify(query, isPlain ? undefined : base64Binaries);
}

/** Binary values are base64 in DynamoDB's JSON. */
function base64Binaries(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
