import { consumedCapacities, readUnits } from '../charge.ts';
import { checkPaths } from '../expression/check-paths.ts';
import { Placeholders } from '../expression/placeholders.ts';
import { project } from '../expression/project.ts';
import { parseKey } from '../item-key.ts';
import { booleanOf, capacityDetail, checkFields, textOf } from './fields.ts';
import { tableOf } from './operation.ts';
import type { Item } from '../attribute.ts';
import type { ReadKind } from '../charge.ts';
import type { Path } from '../expression/syntax.ts';
import type { ItemKey } from '../item-key.ts';
import type { Document } from '../refusal.ts';
import type { StoredItem } from '../stored-item.ts';
import type { TableData } from '../table-data.ts';
import type { OperationContext, ItemAccess, Prepared } from './operation.ts';

export type Projection = readonly Path[] | undefined;

/** The paths that a read returns; undefined for the whole item. @throws Refusal */
export function projectionOf(
  { expressions }: OperationContext,
  text: string | undefined,
  placeholders: Placeholders,
): Projection {
  if (text === undefined) return undefined;
  const field = 'ProjectionExpression';
  const paths = expressions.projections
    .get(field, text)
    .map((path) => placeholders.path(field, path));
  checkPaths(field, paths);
  return paths;
}

/** The projection of a request without other expressions. @throws Refusal */
export function onlyProjectionOf(context: OperationContext, input: Document): Projection {
  const text = textOf(input, 'ProjectionExpression');
  const placeholders = new Placeholders(input, text !== undefined);
  const projection = projectionOf(context, text, placeholders);
  placeholders.checkAllUsed();
  return projection;
}

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
  const charge = {
    table: table.name,
    target: 'table',
    unit: 'read' as const,
    key: key.partition,
    units,
  };
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
  const projection = onlyProjectionOf(context, input);
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
