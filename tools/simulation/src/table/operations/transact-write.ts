import { createHash } from 'node:crypto';
import {
  cancellation,
  capacityDetail,
  chargeOf,
  consumedCapacities,
  invalid,
  listOf,
  readUnits,
  textOf,
} from '@engawa/dynamodb-simulator/rules';
import { checkFields } from './check-fields.ts';
import { commitWrite, planWrite } from './plan-write.ts';
import type { Charge, Document, WriteKind } from '@engawa/dynamodb-simulator/rules';
import type { OperationContext, Prepared } from './operation.ts';
import type { PlannedWrite } from './plan-write.ts';

/** Maximum actions, and bytes of all items (developer guide, "Quotas": DynamoDB transactions). */
const maxActions = 100;
const maxBytes = 4 * 1024 * 1024;
const maxTokenLength = 36;

const placeholderFields = [
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
];
const actionFields: Readonly<Record<WriteKind, readonly string[]>> = {
  Put: ['TableName', 'Item', 'ConditionExpression', ...placeholderFields],
  Update: ['TableName', 'Key', 'UpdateExpression', 'ConditionExpression', ...placeholderFields],
  Delete: ['TableName', 'Key', 'ConditionExpression', ...placeholderFields],
  ConditionCheck: ['TableName', 'Key', 'ConditionExpression', ...placeholderFields],
};
/** The required field of an operation. */
const required: Partial<Record<WriteKind, string>> = {
  Update: 'UpdateExpression',
  ConditionCheck: 'ConditionExpression',
};

export function transactWriteItems(context: OperationContext, input: Document): Prepared {
  checkFields('TransactWriteItems', input, [
    'TransactItems',
    'ClientRequestToken',
    'ReturnConsumedCapacity',
  ]);
  const detail = capacityDetail(input);
  const token = tokenOf(input);
  const writes = listOf(input, 'TransactItems', maxActions).map((item) =>
    planAction(context, item),
  );
  checkItems(writes);
  const request = token === undefined ? '' : digestOf(input['TransactItems']);
  if (token !== undefined && context.tokens.isRepeated(token, request, context.now)) {
    return repeated(writes, detail);
  }
  return {
    parts: writes,
    complete: () => {
      const reasons = writes.map(({ failure }) => failure ?? { Code: 'None' });
      if (writes.some(({ failure }) => failure !== undefined)) throw cancellation(reasons);
      for (const write of writes) commitWrite(write, context.now);
      if (token !== undefined) context.tokens.add(token, request, context.now);
      return answer(
        writes.flatMap(({ charges }) => charges),
        detail,
      );
    },
  };
}

/** Identifies a request's actions, so that they need not be kept for ten minutes. */
function digestOf(actions: unknown): string {
  return createHash('sha256').update(JSON.stringify(actions)).digest('base64');
}

function tokenOf(input: Document): string | undefined {
  const token = textOf(input, 'ClientRequestToken');
  if (token === undefined || (token !== '' && token.length <= maxTokenLength)) return token;
  throw invalid(
    `Value '${token}' at 'clientRequestToken' failed to satisfy constraint: Member must have length from 1 to ${maxTokenLength}`,
  );
}

function planAction(context: OperationContext, item: Document): PlannedWrite {
  const kinds = Object.keys(actionFields) as WriteKind[];
  const given = kinds.filter((kind) => item[kind] != null);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  checkFields('TransactItems', item, [kind]);
  const action = item[kind] as Document;
  checkFields(kind, action, actionFields[kind]);
  const field = required[kind];
  if (field !== undefined && action[field] == null) {
    throw invalid(`Value null at '${field}' failed to satisfy constraint: Member must not be null`);
  }
  return planWrite(context, kind, action, 2);
}

function checkItems(writes: readonly PlannedWrite[]): void {
  const keys = new Set(writes.map(({ table, key }) => JSON.stringify([table.name, key])));
  if (keys.size < writes.length) {
    throw invalid('Transaction request cannot include multiple operations on one item');
  }
  const bytes = writes.reduce((sum, { after }) => sum + (after?.bytes ?? 0), 0);
  if (bytes <= maxBytes) return;
  throw invalid('Collection size of items in transaction exceeds the maximum allowed size of 4MB');
}

/** Repeats a completed transaction, which only reads its items. */
function repeated(writes: readonly PlannedWrite[], detail: string): Prepared {
  const parts = writes.map(({ table, key, before }) => {
    const units = readUnits(before?.bytes ?? 0, { isConsistent: true, isTransaction: true });
    const taken = { unit: 'read', key: key.partition, units } as const;
    return { table, key, charges: [chargeOf(table.schema, undefined, taken)] };
  });
  const charges = parts.flatMap((part) => part.charges);
  return { parts, complete: () => answer(charges, detail) };
}

function answer(charges: readonly Charge[], detail: string): Document {
  return detail === 'NONE' ? {} : { ConsumedCapacity: consumedCapacities(charges, detail, true) };
}
