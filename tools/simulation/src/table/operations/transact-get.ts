import {
  capacityDetail,
  consumedCapacities,
  invalid,
  listOf,
  objectOf,
  onlyProjectionOf,
  parseKey,
  textOf,
} from '@engawa/dynamodb-simulator/rules';
import { checkFields } from './check-fields.ts';
import { tableOf } from './operation.ts';
import { readPart, shown } from './read.ts';
import type { Document } from '@engawa/dynamodb-simulator/rules';
import type { OperationContext, Prepared } from './operation.ts';

/** Maximum actions (developer guide, "Quotas": DynamoDB transactions). */
const maxActions = 100;

export function transactGetItems(context: OperationContext, input: Document): Prepared {
  checkFields('TransactGetItems', input, ['TransactItems', 'ReturnConsumedCapacity']);
  const detail = capacityDetail(input);
  const parts = listOf(input, 'TransactItems', maxActions).map((item) => {
    checkFields('TransactItems', item, ['Get']);
    const get = objectOf(item, 'Get');
    checkFields('Get', get, [
      'TableName',
      'Key',
      'ProjectionExpression',
      'ExpressionAttributeNames',
    ]);
    const table = tableOf(context, textOf(get, 'TableName'));
    const { key } = parseKey(table.schema.key, get['Key']);
    const projection = onlyProjectionOf(context.expressions, get);
    const part = readPart(table, key, { isConsistent: true, isTransaction: true });
    return { ...part, projection };
  });
  const keys = new Set(parts.map(({ table, key }) => JSON.stringify([table.name, key])));
  if (keys.size < parts.length) {
    throw invalid('Transaction request cannot include multiple operations on one item');
  }
  return {
    parts,
    complete: () => {
      const charges = parts.flatMap((part) => part.charges);
      return {
        Responses: parts.map(({ found, projection }) =>
          found === undefined ? {} : { Item: shown(found.item, projection) },
        ),
        ...(detail !== 'NONE' && { ConsumedCapacity: consumedCapacities(charges, detail, true) }),
      };
    },
  };
}
