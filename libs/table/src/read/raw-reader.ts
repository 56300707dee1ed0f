import { reading } from '../client/send.ts';
import { unmarshal } from '../items/unmarshal.ts';
import { queryInput } from './query-request.ts';
import { unitsOfPage } from './read-units.ts';
import type { RawItem } from '../items/raw-item.ts';
import type { QueryClient } from './query-client.ts';
import type { PageKey, QueryRequest } from './query-request.ts';

export interface RawReaderOptions {
  tableName: string;
  queries: QueryClient;
}

export interface RawPage {
  items: RawItem[];
  /** Absent on the last page. */
  next?: PageKey;
  /** Read units consumed. */
  units: number;
  /** False where DynamoDB does not report the units, which are then estimated by size. */
  isReported: boolean;
}

/** Reads items without a conversion: also items of other writers, with types that no item of this table has. */
export class RawReader {
  readonly #options: RawReaderOptions;

  constructor(options: RawReaderOptions) {
    this.#options = options;
  }

  /** One page of one partition key: one request. @throws as the methods of Table */
  async query(request: QueryRequest): Promise<RawPage> {
    const { tableName, queries } = this.#options;
    const { signal, consistent } = request;
    const sent = queries.sendRaw(queryInput(tableName, request), signal);
    const { read, ConsumedCapacity, LastEvaluatedKey } = await reading(sent, signal);
    const reported = ConsumedCapacity?.CapacityUnits;
    const next = LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as PageKey);
    return {
      items: read.items,
      units: reported ?? unitsOfPage(read.bytes, consistent),
      isReported: reported !== undefined,
      ...(next !== undefined && { next }),
    };
  }
}
