import {
  Refusal,
  capacityDetail,
  choiceOf,
  consumedCapacities,
  invalid,
  pathsOf,
  project,
} from '@engawa/dynamodb-simulator/rules';
import { checkFields } from './check-fields.ts';
import { commitWrite, planWrite } from './plan-write.ts';
import type { CancellationReason, Document, Item, Path } from '@engawa/dynamodb-simulator/rules';
import type { OperationHandler } from './operation.ts';
import type { PlannedWrite } from './plan-write.ts';

const commonFields = [
  'TableName',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnConsumedCapacity',
  'ReturnValues',
  'ReturnValuesOnConditionCheckFailure',
];
const updateReturns = ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'] as const;
type ReturnValues = (typeof updateReturns)[number];

export const putItem = singleWrite('Put', ['Item'], ['NONE', 'ALL_OLD']);
export const updateItem = singleWrite('Update', ['Key', 'UpdateExpression'], updateReturns);
export const deleteItem = singleWrite('Delete', ['Key'], ['NONE', 'ALL_OLD']);

function singleWrite(
  kind: 'Put' | 'Update' | 'Delete',
  fields: readonly string[],
  returns: readonly ReturnValues[],
): OperationHandler {
  const known = [...commonFields, ...fields];
  return (context, input) => {
    checkFields(`${kind}Item`, input, known);
    const detail = capacityDetail(input);
    const returned = choiceOf(input, 'ReturnValues', returns, 'NONE');
    const write = planWrite(context, kind, input);
    return {
      parts: [write],
      complete: () => {
        if (write.failure !== undefined) throw refusalOf(write.failure);
        commitWrite(write, context.now);
        const Attributes = returnedAttributes(write, returned);
        const [ConsumedCapacity] = consumedCapacities(write.charges, detail);
        return {
          ...(Attributes && { Attributes }),
          ...(detail !== 'NONE' && { ConsumedCapacity }),
        };
      },
    };
  };
}

function refusalOf({ Code, Message = '', Item }: CancellationReason): Refusal {
  if (Code === 'ValidationError') return invalid(Message);
  const fields: Document = Item === undefined ? {} : { Item };
  return new Refusal('ConditionalCheckFailedException', Message, fields);
}

function returnedAttributes(
  { before, after, update }: PlannedWrite,
  returned: ReturnValues,
): Item | undefined {
  if (returned === 'NONE') return undefined;
  const item = (returned.endsWith('OLD') ? before : after)?.item;
  if (item === undefined || returned.startsWith('ALL')) return item;
  const updated = project(item, update === undefined ? [] : shownPaths(update));
  return Object.keys(updated).length === 0 ? undefined : updated;
}

/** Paths for UPDATED_OLD and UPDATED_NEW, which show only the updated values of maps, but whole lists. */
function shownPaths(update: Parameters<typeof pathsOf>[0]): Path[] {
  return pathsOf(update).map((path) => {
    const list = path.findIndex((step) => typeof step === 'number');
    return list < 0 ? path : path.slice(0, list);
  });
}
