import {
  booleanOf,
  capacityDetail,
  consumedCapacities,
  invalid,
  isObject,
  objectOf,
  onlyProjectionOf,
  parseKey,
} from '@engawa/dynamodb-simulator/rules';
import { checkFields } from './check-fields.ts';
import { tableOf } from './operation.ts';
import { readPart, shown } from './read.ts';
import type { Document, Projection } from '@engawa/dynamodb-simulator/rules';
import type { OperationContext, ItemAccess, Prepared } from './operation.ts';
import type { ReadPart } from './read.ts';

/** Maximum keys per batch, and bytes per response (API reference, BatchGetItem). */
const maxKeys = 100;
const maxBytes = 16 * 1024 * 1024;

interface GetPart extends ReadPart {
  projection: Projection;
  /** The key, which UnprocessedKeys returns with the other fields of `tableRequest`. */
  attributes: unknown;
  tableRequest: Document;
}

export function batchGetItem(context: OperationContext, input: Document): Prepared {
  checkFields('BatchGetItem', input, ['RequestItems', 'ReturnConsumedCapacity']);
  const detail = capacityDetail(input);
  const requestItems = Object.entries(objectOf(input, 'RequestItems'));
  if (requestItems.length === 0)
    throw invalid('BatchGetItem cannot have a null or no requests set');
  const parts = requestItems.flatMap(([name, request]) => partsOf(context, name, request));
  if (parts.length > maxKeys) throw invalid('Too many items requested for the BatchGetItem call');
  const keys = new Set(parts.map(({ table, key }) => JSON.stringify([table.name, key])));
  if (keys.size < parts.length) throw invalid('Provided list of item keys contains duplicates');
  return {
    parts,
    complete: (held) => {
      const left = new Set([...held, ...beyondLimit(parts.filter((part) => !held.has(part)))]);
      const done = parts.filter((part) => !left.has(part));
      const charges = done.flatMap((part) => part.charges);
      return {
        Responses: responses(requestItems, done),
        UnprocessedKeys: unprocessed(parts.filter((part) => left.has(part))),
        ...(detail !== 'NONE' && { ConsumedCapacity: consumedCapacities(charges, detail) }),
      };
    },
  };
}

function partsOf(context: OperationContext, name: string, request: unknown): GetPart[] {
  const tableRequest = isObject(request) ? request : {};
  checkFields('RequestItems', tableRequest, [
    'Keys',
    'ConsistentRead',
    'ProjectionExpression',
    'ExpressionAttributeNames',
  ]);
  const table = tableOf(context, name);
  const keys: unknown = tableRequest['Keys'];
  if (!Array.isArray(keys) || keys.length === 0) {
    throw invalid(
      `The list of keys in RequestItems for BatchGetItem is required: ${name} has empty list`,
    );
  }
  const isConsistent = booleanOf(tableRequest, 'ConsistentRead', false);
  const projection = onlyProjectionOf(context.expressions, tableRequest);
  return keys.map((attributes: unknown) => {
    const { key } = parseKey(table.schema.key, attributes);
    return { ...readPart(table, key, { isConsistent }), projection, attributes, tableRequest };
  });
}

/** The keys whose items would exceed the maximum size of a response. */
function beyondLimit(parts: readonly GetPart[]): ItemAccess[] {
  let bytes = 0;
  return parts.filter(({ found }) => {
    bytes += found?.bytes ?? 0;
    return bytes > maxBytes;
  });
}

function responses(
  requestItems: readonly (readonly [string, unknown])[],
  done: readonly GetPart[],
) {
  const names = requestItems.map(([name]) => name);
  return Object.fromEntries(
    names.map((name) => [
      name,
      done.flatMap(({ table, found, projection }) =>
        table.name === name && found !== undefined ? [shown(found.item, projection)] : [],
      ),
    ]),
  );
}

function unprocessed(left: readonly GetPart[]) {
  const tables = [...Map.groupBy(left, ({ table }) => table.name)];
  return Object.fromEntries(
    tables.map(([name, own]) => [
      name,
      { ...own[0]?.tableRequest, Keys: own.map(({ attributes }) => attributes) },
    ]),
  );
}
