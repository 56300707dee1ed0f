import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { itemSize } from '@engawa/model';
import { unmarshal } from '../items/unmarshal.ts';
import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Document } from '@engawa/model';

/** The used part of the SDK's deserializer input. */
interface HttpResult {
  response: { statusCode: number; body: Buffer };
}

/** The JSON body of a Query response. */
interface QueryResponse {
  Items?: Record<string, object>[];
}

/** The items of one response. */
export class ItemsRead {
  #items: Document[] = [];
  #bytes: number | undefined;

  get items(): Document[] {
    return this.#items;
  }

  /**
   * Total size by DynamoDB's count. The first call walks through all items: needed only where units are not reported.
   */
  get bytes(): number {
    this.#bytes ??= this.#items.reduce((sum, item) => sum + itemSize(item), 0);
    return this.#bytes;
  }

  /** Replaces the items of an earlier attempt with an incomplete response. */
  replace(items: Document[]): void {
    this.#items = items;
    this.#bytes = undefined;
  }
}

/** The command's input with the items read, for middleware that observes attempts: no serializer uses the field. */
export interface PreparedQueryInput extends QueryCommandInput {
  read: ItemsRead;
}

/**
 * A Query whose items are parsed here, from JSON to documents in one pass. The SDK finds the
 * endpoint, signs, sends and parses the rest of the response. Its own deserializer walks every
 * value by its schema and the document client once more: 150 ms for a page of 1 MB (docs/adr/0018).
 */
export function queryCommand(input: QueryCommandInput): {
  command: QueryCommand;
  read: ItemsRead;
} {
  const read = new ItemsRead();
  const prepared: PreparedQueryInput = { ...input, read };
  const command = new QueryCommand(prepared);
  command.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request);
      const { response } = result as unknown as HttpResult;
      if (response.statusCode !== 200) return result;
      const body = JSON.parse(response.body.toString()) as QueryResponse;
      const { Items = [], ...rest } = body;
      read.replace(Items.map(unmarshal));
      response.body = Buffer.from(JSON.stringify(rest));
      return result;
    },
    // Inside the deserializer, which then sees a response without items.
    { name: 'engawaReadItems', step: 'deserialize', priority: 'low' },
  );
  return { command, read };
}
