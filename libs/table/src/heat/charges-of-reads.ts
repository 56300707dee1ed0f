import { itemSize } from '@engawa/model';
import { idOf, putId } from '../pending-puts.ts';
import { partitionsOf } from './part.ts';
import type {
  BatchGetItemCommandInput,
  GetItemCommandInput,
  QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { BatchGetCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Charges, Part } from './part.ts';

/** One item or one answer: all that is reported is its own, whatever its size. */
const unasked = () => 0;

export function chargesOfGet({ Key, ConsistentRead }: GetItemCommandInput): Charges {
  const partitions = partitionsOf('read', { pk: Key?.['pk']?.S ?? '' });
  return readCharges(ConsistentRead, [{ partitions, isOpen: false, size: unasked }]);
}

export function chargesOfQuery(input: QueryCommandInput): Charges {
  const partition = partitionAsked(input);
  const index = input.IndexName ?? 'table';
  const partitions = partition === undefined ? [] : [{ index, unit: 'read' as const, partition }];
  return readCharges(input.ConsistentRead, [{ partitions, isOpen: false, size: unasked }]);
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

/** Half a unit, unless it is to see all that was written before. */
function readCharges(isConsistent: boolean | undefined, parts: readonly Part[]): Charges {
  return { unit: 'read', least: isConsistent === true ? 1 : 0.5, parts };
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
