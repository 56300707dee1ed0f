import type { Document } from '../rules/exceptions.ts';
import type { WriteKind } from '../rules/requests/write-request.ts';
import type { ClientRequest } from '../plans/plan.ts';

export interface RequestedWrite {
  kind: WriteKind;
  /** The part of the request with its table, key or item, and expressions. */
  action: Document;
}

/** Every write of a request, of any operation that writes. */
export function writesOf({ operation, body }: ClientRequest): RequestedWrite[] {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [{ kind: operation.replace('Item', '') as WriteKind, action: body }];
    case 'BatchWriteItem':
      return Object.entries(body['RequestItems'] as Record<string, Document[]>).flatMap(
        ([table, requests]) => requests.map((request) => batchedWrite(table, request)),
      );
    case 'TransactWriteItems':
      return (body['TransactItems'] as Record<string, Document>[]).flatMap((item) =>
        Object.entries(item).map(([kind, action]) => ({ kind: kind as WriteKind, action })),
      );
    default:
      return [];
  }
}

export function batchedWrite(TableName: string, request: Document): RequestedWrite {
  const { PutRequest, DeleteRequest } = request;
  return PutRequest === undefined
    ? { kind: 'Delete', action: { ...(DeleteRequest as Document), TableName } }
    : { kind: 'Put', action: { ...(PutRequest as Document), TableName } };
}
