import {
  capacityDetail,
  consumedCapacities,
  invalid,
  isObject,
  objectOf,
} from '@engawa/dynamodb-simulator/rules';
import { checkFields } from './check-fields.ts';
import { commitWrite, planWrite } from './plan-write.ts';
import type { Document } from '@engawa/dynamodb-simulator/rules';
import type { OperationContext, ItemAccess, Prepared } from './operation.ts';
import type { PlannedWrite } from './plan-write.ts';

/** Maximum requests per batch (API reference, BatchWriteItem). */
const maxRequests = 25;

interface BatchPart extends PlannedWrite {
  /** The request, which UnprocessedItems returns. */
  request: Document;
}

export function batchWriteItem(context: OperationContext, input: Document): Prepared {
  checkFields('BatchWriteItem', input, ['RequestItems', 'ReturnConsumedCapacity']);
  const detail = capacityDetail(input);
  const parts = requestsOf(input).map(({ TableName, request }) =>
    planRequest(context, TableName, request),
  );
  const keys = new Set(parts.map(({ table, key }) => JSON.stringify([table.name, key])));
  if (keys.size < parts.length) {
    throw invalid('Provided list of item keys contains duplicates');
  }
  const refused = parts.find(({ failure }) => failure !== undefined);
  if (refused?.failure !== undefined) throw invalid(refused.failure.Message ?? '');
  return {
    parts,
    complete: (held) => {
      const done = parts.filter((part) => !held.has(part));
      for (const part of done) commitWrite(part, context.now);
      const charges = done.flatMap((part) => part.charges);
      return {
        UnprocessedItems: unprocessed(parts, held),
        ...(detail !== 'NONE' && { ConsumedCapacity: consumedCapacities(charges, detail) }),
      };
    },
  };
}

function requestsOf(input: Document): { TableName: string; request: Document }[] {
  const entries = Object.entries(objectOf(input, 'RequestItems'));
  const requests = entries.flatMap(([TableName, list]) => {
    if (!Array.isArray(list) || list.length === 0) {
      throw invalid(
        `The batch write request list for a table cannot be null or empty: ${TableName}`,
      );
    }
    return list.map((request: unknown) => ({
      TableName,
      request: isObject(request) ? request : {},
    }));
  });
  if (requests.length === 0) throw invalid('BatchWriteItem cannot have a null or no requests set');
  if (requests.length <= maxRequests) return requests;
  throw invalid('Too many items requested for the BatchWriteItem call');
}

function planRequest(context: OperationContext, TableName: string, request: Document): BatchPart {
  const { PutRequest: put, DeleteRequest: remove } = request;
  if ((put == null) === (remove == null)) {
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  checkFields('RequestItems', request, ['PutRequest', 'DeleteRequest']);
  const [kind, field] = put == null ? (['Delete', 'Key'] as const) : (['Put', 'Item'] as const);
  const action = (put ?? remove) as Document;
  checkFields(`${kind}Request`, action, [field]);
  return { ...planWrite(context, kind, { ...action, TableName }), request };
}

function unprocessed(parts: readonly BatchPart[], held: ReadonlySet<ItemAccess>) {
  const left = Map.groupBy(
    parts.filter((part) => held.has(part)),
    ({ table }) => table.name,
  );
  return Object.fromEntries(
    [...left].map(([name, own]) => [name, own.map(({ request }) => request)]),
  );
}
