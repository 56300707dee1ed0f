import { itemSize } from '@engawa/model';
import { idOf, putId } from '../items/item-id.ts';
import { bytesCounted, leastRead } from '../read/units-read.ts';
import { partitionsOf } from '../items/charged-part.ts';
import type {
  BatchGetItemCommandInput,
  GetItemCommandInput,
  QueryCommandInput,
  QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { BatchGetCommandOutput, GetCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { PreparedQueryInput } from '../read/query-command.ts';
import type { Charges, Part } from '../items/charged-part.ts';

/** @param output as the document client has it, which reads the answer before anybody else */
export function chargesOfGet(
  { Key, ConsistentRead }: GetItemCommandInput,
  output?: GetCommandOutput,
): Charges {
  const partitions = partitionsOf('read', { pk: Key?.['pk']?.S ?? '' });
  const size = () => itemSize(output?.Item ?? {});
  return readCharges(ConsistentRead, [{ partitions, isOpen: false, size }]);
}

/** The table's questions bring along what was read; there is nothing where they only count. */
export function chargesOfQuery(
  input: QueryCommandInput | PreparedQueryInput,
  output?: QueryCommandOutput,
): Charges {
  const partition = partitionAsked(input);
  const index = input.IndexName ?? 'table';
  const partitions = partition === undefined ? [] : [{ index, unit: 'read' as const, partition }];
  const size = () => ('read' in input ? input.read.bytes : bytesCounted(output?.Count ?? 0));
  return readCharges(input.ConsistentRead, [{ partitions, isOpen: false, size }]);
}

/** @param output as the document client has it, which reads the answer before anybody else */
export function chargesOfBatchGet(
  { RequestItems = {} }: BatchGetItemCommandInput,
  output?: BatchGetCommandOutput,
): Charges {
  const [{ Keys = [], ConsistentRead } = {}] = Object.values(RequestItems);
  const sizeOf = sizesByKey(output);
  const parts = Keys.map((key): Part => {
    const id = idOf(key);
    const partitions = partitionsOf('read', { pk: key['pk']?.S ?? '' });
    return { id, partitions, isOpen: false, size: () => sizeOf(id) };
  });
  return readCharges(ConsistentRead, parts);
}

function readCharges(isConsistent: boolean | undefined, parts: readonly Part[]): Charges {
  return { unit: 'read', least: leastRead(isConsistent), parts };
}

/** Our questions begin with the equality of the partition key: `#f0 = :v0`. */
function partitionAsked(input: QueryCommandInput): string | undefined {
  const { KeyConditionExpression = '', ExpressionAttributeValues = {} } = input;
  const [, value = ''] = /^\S+ = (:\w+)/.exec(KeyConditionExpression) ?? [];
  return ExpressionAttributeValues[value]?.S;
}

/** Looks through the answer when it is first asked for a size. */
function sizesByKey({ Responses = {} }: Partial<BatchGetCommandOutput> = {}) {
  let sizes: Map<string, number> | undefined;
  return (id: string): number => {
    sizes ??= new Map(
      Object.values(Responses)
        .flat()
        .map((item) => [putId(String(item['pk']), String(item['sk'])), itemSize(item)]),
    );
    return sizes.get(id) ?? 0;
  };
}
