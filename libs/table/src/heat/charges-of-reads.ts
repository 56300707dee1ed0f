import { itemSize } from '@engawa/model';
import { partitionsOf } from '../items/charged-part.ts';
import { idOfItem, partitionKeyOf } from '../items/item-id.ts';
import { unmarshal } from '../items/unmarshal.ts';
import { assumedBytes, smallestRead } from '../read/read-units.ts';
import type {
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  GetItemCommandInput,
  GetItemCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { ChargedPart, RequestCharges } from '../items/charged-part.ts';
import type { ReadingQueryInput } from '../read/items-read.ts';

export function chargesOfGet(
  { Key, ConsistentRead }: GetItemCommandInput,
  output?: GetItemCommandOutput,
): RequestCharges {
  const partitions = partitionsOf('read', { pk: partitionKeyOf(Key) });
  const size = () => itemSize(unmarshal(output?.Item ?? {}));
  return readCharges(ConsistentRead, [{ partitions, mayHaveUnknownIndexKeys: false, size }]);
}

/** The input of the table's own Query contains the items that were read; a counting Query has only their number. */
export function chargesOfQuery(
  input: QueryCommandInput | ReadingQueryInput,
  output?: QueryCommandOutput,
): RequestCharges {
  const partition = queriedPartition(input);
  const index = input.IndexName ?? 'table';
  const partitions = partition === undefined ? [] : [{ index, unit: 'read' as const, partition }];
  const size = () => ('read' in input ? input.read.bytes : assumedBytes(output?.Count ?? 0));
  return readCharges(input.ConsistentRead, [{ partitions, mayHaveUnknownIndexKeys: false, size }]);
}

export function chargesOfBatchGet(
  { RequestItems = {} }: BatchGetItemCommandInput,
  output?: BatchGetItemCommandOutput,
): RequestCharges {
  const [{ Keys = [], ConsistentRead } = {}] = Object.values(RequestItems);
  const sizeOf = sizesById(output);
  const parts = Keys.map((key): ChargedPart => {
    const id = idOfItem(key);
    const partitions = partitionsOf('read', { pk: partitionKeyOf(key) });
    return { id, partitions, mayHaveUnknownIndexKeys: false, size: () => sizeOf(id) };
  });
  return readCharges(ConsistentRead, parts);
}

function readCharges(
  isConsistent: boolean | undefined,
  parts: readonly ChargedPart[],
): RequestCharges {
  return { unit: 'read', minUnits: smallestRead(isConsistent), parts };
}

/** The table's key conditions begin with the equality of the partition key: `#f0 = :v0`. */
function queriedPartition(input: QueryCommandInput): string | undefined {
  const { KeyConditionExpression = '', ExpressionAttributeValues = {} } = input;
  const [, value = ''] = /^\S+ = (:\w+)/.exec(KeyConditionExpression) ?? [];
  return ExpressionAttributeValues[value]?.S;
}

/** The sizes of the items in a response, computed on first use. */
function sizesById({ Responses = {} }: Partial<BatchGetItemCommandOutput> = {}) {
  let sizes: Map<string, number> | undefined;
  return (id: string): number => {
    const items = () => Object.values(Responses).flat();
    sizes ??= new Map(items().map((item) => [idOfItem(item), itemSize(unmarshal(item))]));
    return sizes.get(id) ?? 0;
  };
}
