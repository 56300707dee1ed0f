import { itemSize } from '@engawa/model';
import { minWriteUnits } from '../limits.ts';
import { idOf } from '../items/item-id.ts';
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
import type { PreparedBatchInput } from '../write/batch-write-command.ts';
import type { Charges, Part } from '../items/charged-part.ts';

/** The same of a request by itself and of an action. */
type UpdateInput = Pick<UpdateItemCommandInput, keyof Update & keyof UpdateItemCommandInput>;

export function chargesOfPut({ Item = {} }: PutItemCommandInput): Charges {
  return { unit: 'write', least: minWriteUnits.single, parts: [putPart(Item)] };
}

export function chargesOfUpdate(
  input: UpdateItemCommandInput,
  output?: UpdateItemCommandOutput,
): Charges {
  // The item as it is now knows all of its keys; what was sent, only those that it changes.
  const part = output?.Attributes ? putPart(output.Attributes) : updatePart(input);
  return { unit: 'write', least: minWriteUnits.single, parts: [part] };
}

export function chargesOfDelete({ Key = {} }: DeleteItemCommandInput): Charges {
  return { unit: 'write', least: minWriteUnits.single, parts: [keyPart(Key)] };
}

/** The batch writer's commands bring their parts along, and no RequestItems that could be looked through. */
export function chargesOfBatchWrite(
  input: BatchWriteItemCommandInput | PreparedBatchInput,
): Charges {
  if ('puts' in input) return { unit: 'write', least: minWriteUnits.single, parts: input.puts };
  const parts = Object.values(input.RequestItems ?? {})
    .flat()
    .map(({ PutRequest, DeleteRequest }) =>
      PutRequest ? putPart(PutRequest.Item ?? {}) : keyPart(DeleteRequest?.Key ?? {}),
    );
  return { unit: 'write', least: minWriteUnits.single, parts };
}

/** Each action is prepared and committed, also one that only checks (developer guide, "DynamoDB transactions"). */
export function chargesOfTransactWrite(input: TransactWriteItemsCommandInput): Charges {
  return {
    unit: 'write',
    least: minWriteUnits.transaction,
    parts: (input.TransactItems ?? []).map(actionPart),
  };
}

function actionPart({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): Part {
  if (Put) return putPart(Put.Item ?? {});
  if (Update) return updatePart(Update);
  if (Delete) return keyPart(Delete.Key ?? {});
  // Nothing of it is written, in no index either.
  return { ...keyPart(ConditionCheck?.Key ?? {}), isOpen: false };
}

function putPart(item: Attributes): Part {
  return {
    id: idOf(item),
    partitions: partitionsOf('write', {
      pk: item['pk']?.S ?? '',
      gsi1pk: item['gsi1pk']?.S,
      gsi2pk: item['gsi2pk']?.S,
    }),
    isOpen: false,
    size: () => itemSize(unmarshal(item)),
  };
}

/** Of what is deleted or checked, nothing is known but where it is. */
function keyPart(key: Attributes): Part {
  const partitions = partitionsOf('write', { pk: key['pk']?.S ?? '' });
  return { id: idOf(key), partitions, isOpen: true, size: () => 0 };
}

function updatePart(update: UpdateInput): Part {
  const { Key = {}, ExpressionAttributeValues = {} } = update;
  return {
    partitions: partitionsOf('write', {
      pk: Key['pk']?.S ?? '',
      gsi1pk: textSet(update, 'gsi1pk'),
      gsi2pk: textSet(update, 'gsi2pk'),
    }),
    isOpen: true,
    size: () => itemSize(unmarshal({ ...Key, ...ExpressionAttributeValues })),
  };
}

/** What an update sets a field of the item to, written as we write it: `SET #f0 = :v0, #f1 = :v1`. */
function textSet(update: UpdateInput, field: string): string | undefined {
  const { UpdateExpression = '', ExpressionAttributeNames: names = {} } = update;
  const name = Object.keys(names).find((placeholder) => names[placeholder] === field);
  if (name === undefined) return undefined;
  const [, value = ''] = new RegExp(`(?:SET |, )${name} = (:\\w+)`).exec(UpdateExpression) ?? [];
  return update.ExpressionAttributeValues?.[value]?.S;
}
