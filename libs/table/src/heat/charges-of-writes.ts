import { invariant } from '@engawa/errors';
import { itemSize } from '@engawa/model';
import { minWriteUnits } from '../limits.ts';
import { idOfItem, partitionKeyOf } from '../items/item-id.ts';
import { unmarshal } from '../items/unmarshal.ts';
import { partitionsOf } from '../items/charged-part.ts';
import type {
  BatchWriteItemCommandInput,
  DeleteItemCommandInput,
  PutItemCommandInput,
  TransactWriteItem,
  TransactWriteItemsCommandInput,
  Update,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../items/marshal.ts';
import type { BatchWriteInput } from '../write/batch-write-input.ts';
import type { RequestCharges, ChargedPart } from '../items/charged-part.ts';

/** Common parameters of UpdateItem and of the update action of a transaction. */
type UpdateInput = Pick<UpdateItemCommandInput, keyof Update & keyof UpdateItemCommandInput>;

export function chargesOfPut({ Item = {} }: PutItemCommandInput): RequestCharges {
  return { unit: 'write', minUnits: minWriteUnits.single, parts: [putPart(Item)] };
}

export function chargesOfUpdate(
  input: UpdateItemCommandInput,
  output?: UpdateItemCommandOutput,
): RequestCharges {
  // The item after the update has all of its keys; the request has only the keys that it sets.
  const part = output?.Attributes ? putPart(output.Attributes) : updatePart(input);
  return { unit: 'write', minUnits: minWriteUnits.single, parts: [part] };
}

export function chargesOfDelete({ Key = {} }: DeleteItemCommandInput): RequestCharges {
  return { unit: 'write', minUnits: minWriteUnits.single, parts: [keyPart(Key)] };
}

/** The batch writer's input carries its parts as `puts`; its RequestItems are empty. */
export function chargesOfBatchWrite(
  input: BatchWriteItemCommandInput | BatchWriteInput,
): RequestCharges {
  if ('puts' in input) return { unit: 'write', minUnits: minWriteUnits.single, parts: input.puts };
  const parts = Object.values(invariant(input.RequestItems, 'a batch has requests'))
    .flat()
    .map(({ PutRequest, DeleteRequest }) =>
      PutRequest ? putPart(itemOf(PutRequest.Item)) : keyPart(keyOf(DeleteRequest?.Key)),
    );
  return { unit: 'write', minUnits: minWriteUnits.single, parts };
}

/**
 * Each action is prepared and committed, which doubles its units, also for a condition check (developer guide,
 * "DynamoDB transactions").
 */
export function chargesOfTransactWrite(input: TransactWriteItemsCommandInput): RequestCharges {
  return {
    unit: 'write',
    minUnits: minWriteUnits.transaction,
    parts: invariant(input.TransactItems, 'a transaction has actions').map(actionPart),
  };
}

function actionPart({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): ChargedPart {
  if (Put) return putPart(itemOf(Put.Item));
  if (Update) return updatePart(Update);
  if (Delete) return keyPart(keyOf(Delete.Key));
  // A condition check writes to no index.
  return { ...keyPart(keyOf(ConditionCheck?.Key)), mayHaveUnknownIndexKeys: false };
}

/** The SDK declares what every action has as optional. */
const itemOf = (item: Attributes | undefined) => invariant(item, 'a put has an item');
const keyOf = (key: Attributes | undefined) => invariant(key, 'a deletion or check has a key');

function putPart(item: Attributes): ChargedPart {
  return {
    id: idOfItem(item),
    partitions: partitionsOf('write', {
      pk: partitionKeyOf(item),
      gsi1pk: item['gsi1pk']?.S,
      gsi2pk: item['gsi2pk']?.S,
    }),
    mayHaveUnknownIndexKeys: false,
    size: () => itemSize(unmarshal(item)),
  };
}

/** Only the key of a deleted or checked item is known. */
function keyPart(key: Attributes): ChargedPart {
  const partitions = partitionsOf('write', { pk: partitionKeyOf(key) });
  return { id: idOfItem(key), partitions, mayHaveUnknownIndexKeys: true, size: () => 0 };
}

function updatePart(update: UpdateInput): ChargedPart {
  const { Key = {}, ExpressionAttributeValues = {} } = update;
  return {
    id: idOfItem(Key),
    partitions: partitionsOf('write', {
      pk: partitionKeyOf(Key),
      gsi1pk: textSet(update, 'gsi1pk'),
      gsi2pk: textSet(update, 'gsi2pk'),
    }),
    mayHaveUnknownIndexKeys: true,
    size: () => itemSize(unmarshal({ ...Key, ...ExpressionAttributeValues })),
  };
}

/** The text that an update assigns to a field; updateInput writes `SET #f0 = :v0, #f1 = :v1`. */
function textSet(update: UpdateInput, field: string): string | undefined {
  const { UpdateExpression = '', ExpressionAttributeNames: names = {} } = update;
  const name = Object.keys(names).find((placeholder) => names[placeholder] === field);
  if (name === undefined) return undefined;
  const [, value = ''] = new RegExp(`(?:SET |, )${name} = (:\\w+)`).exec(UpdateExpression) ?? [];
  return update.ExpressionAttributeValues?.[value]?.S;
}
