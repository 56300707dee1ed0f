import { expectedUpdate } from '../plans/expected-update.ts';
import type { Item } from '../attribute.ts';
import type { ClientRequest } from '../plans/plan.ts';
import type { Document } from '../upstream.ts';

export interface RequestedWrite {
  table: string;
  /**
   * The attributes that the request stores: all of a put, the assigned ones of an update, none of a
   * deletion or check.
   */
  item: Item | undefined;
  /** The part of the request with its expressions. */
  action: Document;
}

/** Every write of a request, of any operation that writes. */
export function writesOf({
  operation,
  body,
}: Pick<ClientRequest, 'operation' | 'body'>): RequestedWrite[] {
  switch (operation) {
    case 'PutItem':
      return [put(body)];
    case 'UpdateItem':
      return [update(body)];
    case 'BatchWriteItem':
      return Object.entries(body['RequestItems'] as Record<string, Document[]>).flatMap(
        ([TableName, requests]) =>
          requests.map(({ PutRequest }) => put({ ...(PutRequest as Document), TableName })),
      );
    case 'TransactWriteItems':
      return (body['TransactItems'] as Record<string, Document>[]).map(transacted);
    default:
      return [];
  }
}

function transacted({ Put, Update, Delete, ConditionCheck }: Record<string, Document>) {
  if (Put !== undefined) return put(Put);
  return Update === undefined ? put(Delete ?? ConditionCheck ?? {}) : update(Update);
}

function put(action: Document): RequestedWrite {
  return { table: String(action['TableName']), item: action['Item'] as Item | undefined, action };
}

function update(action: Document): RequestedWrite {
  const item = expectedUpdate(undefined, { ...action, Key: {} });
  return { table: String(action['TableName']), item, action };
}
