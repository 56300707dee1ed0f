import { reading } from '../client/send.ts';
import { keyAttributes } from '../items/item-id.ts';
import { unmarshal } from '../items/unmarshal.ts';
import { projectionInput } from './query-request.ts';
import type {
  BatchGetItemCommandOutput,
  GetItemCommandOutput,
  ReturnConsumedCapacity,
} from '@aws-sdk/client-dynamodb';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { DirectOperation, DirectRequest, RequestSender } from '../client/request-sender.ts';
import type { Attributes } from '../items/marshal.ts';
import type { ReadOptions } from './query-request.ts';

export interface ItemClientOptions {
  tableName: string;
  sender: RequestSender;
  /** `ReturnConsumedCapacity` of each request. */
  capacity: ReturnConsumedCapacity | undefined;
}

type BatchOutput = Omit<BatchGetItemCommandOutput, '$metadata'>;

/** GetItem and BatchGetItem. Observers see binary values in base64, which `unmarshal` reads, too. */
export class ItemClient {
  readonly #options: ItemClientOptions;

  constructor(options: ItemClientOptions) {
    this.#options = options;
  }

  /** @throws Problem, or the signal's reason */
  async get(key: Key, { signal, ...options }: ReadOptions): Promise<Document | undefined> {
    const input = {
      TableName: this.#options.tableName,
      Key: keyAttributes(key),
      ...readParameters(options),
    };
    const output = await reading(this.#send('GetItem', input, signal), signal);
    const { Item } = output as Pick<GetItemCommandOutput, 'Item'>;
    return Item && unmarshal(Item);
  }

  /**
   * One BatchGetItem request.
   * @throws Problem, or the signal's reason
   */
  async getBatch(
    keys: readonly Attributes[],
    { signal, ...options }: ReadOptions,
  ): Promise<BatchOutput> {
    const { tableName } = this.#options;
    const input = { RequestItems: { [tableName]: { Keys: keys, ...readParameters(options) } } };
    return reading(this.#send('BatchGetItem', input, signal), signal);
  }

  #send(
    operation: DirectOperation,
    parameters: object,
    signal: AbortSignal | undefined,
  ): Promise<object> {
    const { sender, capacity } = this.#options;
    const plain = { ...parameters, ReturnConsumedCapacity: capacity };
    const body = JSON.stringify(plain);
    // Its keys are texts, so the input in DynamoDB's form is the same.
    const input = plain as DirectRequest['input'];
    return sender.send({ operation, index: 'table', input, body, signal });
  }
}

/** The parameters of a read of items; `fields` restricts it to these fields. */
function readParameters({ consistent: ConsistentRead, fields }: Omit<ReadOptions, 'signal'>) {
  return { ConsistentRead, ...projectionInput(fields) };
}
