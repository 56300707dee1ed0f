import {
  booleanOf,
  capacityDetail,
  chargeOf,
  consumedCapacities,
  onlyProjectionOf,
  parseKey,
  project,
  readUnits,
  textOf,
} from '@engawa/dynamodb-simulator/rules';
import { checkFields } from './check-fields.ts';
import { tableOf } from './operation.ts';
import type {
  Document,
  Item,
  ItemKey,
  Projection,
  ReadKind,
  StoredItem,
} from '@engawa/dynamodb-simulator/rules';
import type { TableData } from '../table-data.ts';
import type { OperationContext, ItemAccess, Prepared } from './operation.ts';

export function shown(item: Item, projection: Projection): Item {
  return projection === undefined ? item : project(item, projection);
}

export interface ReadPart extends ItemAccess {
  key: ItemKey;
  found: StoredItem | undefined;
}

/** The read of one item, which may be missing. */
export function readPart(table: TableData, key: ItemKey, kind: ReadKind): ReadPart {
  const found = table.find(key);
  const units = readUnits(found?.bytes ?? 0, kind);
  const charge = chargeOf(table.schema, undefined, { unit: 'read', key: key.partition, units });
  return { table, key, found, charges: [charge] };
}

export function getItem(context: OperationContext, input: Document): Prepared {
  checkFields('GetItem', input, [
    'TableName',
    'Key',
    'ConsistentRead',
    'ProjectionExpression',
    'ExpressionAttributeNames',
    'ReturnConsumedCapacity',
  ]);
  const table = tableOf(context, textOf(input, 'TableName'));
  const detail = capacityDetail(input);
  const { key } = parseKey(table.schema.key, input['Key']);
  const projection = onlyProjectionOf(context.expressions, input);
  const isConsistent = booleanOf(input, 'ConsistentRead', false);
  const part = readPart(table, key, { isConsistent });
  return {
    parts: [part],
    complete: () => {
      const [ConsumedCapacity] = consumedCapacities(part.charges, detail);
      return {
        ...(part.found && { Item: shown(part.found.item, projection) }),
        ...(detail !== 'NONE' && { ConsumedCapacity }),
      };
    },
  };
}
