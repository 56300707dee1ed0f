import { marshal } from './marshal.ts';
import { Expression } from './expression.ts';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Key } from '@engawa/keys';
import type { Document, DocumentValue } from '@engawa/model';
import type { Condition } from './expression.ts';

/** An item to store: any document with the table's two key attributes. */
export type Item = Readonly<Document> | Readonly<Key>;

export interface Put {
  put: Item;
  onlyIf?: Condition;
}

export interface Update {
  update: Key;
  set?: Record<string, DocumentValue>;
  remove?: readonly string[];
  /** Added to the number that is there, or to 0. May count twice when an answer was lost on the way. */
  add?: Record<string, number>;
  onlyIf?: Condition;
}

export interface Delete {
  delete: Key;
  onlyIf?: Condition;
}

/** Writes nothing, but the whole transaction only takes place if this holds. */
export interface Check {
  check: Key;
  onlyIf: Condition;
}

export type Write = Put | Update | Delete | Check;

export function putInput(tableName: string, { put, onlyIf }: Put) {
  return { TableName: tableName, Item: marshal(put), ...conditionInput(new Expression(), onlyIf) };
}

export function deleteInput(tableName: string, write: Delete) {
  const condition = conditionInput(new Expression(), write.onlyIf);
  return { TableName: tableName, Key: keyAttributes(write.delete), ...condition };
}

export function updateInput(tableName: string, { update, set, remove, add, onlyIf }: Update) {
  const expression = new Expression();
  const clauses = [
    clause('SET', Object.entries(set ?? {}), ([field, value]) => {
      return `${expression.name(field)} = ${expression.value(value)}`;
    }),
    clause('REMOVE', remove ?? [], (field) => expression.name(field)),
    clause('ADD', Object.entries(add ?? {}), ([field, value]) => {
      return `${expression.name(field)} ${expression.value(value)}`;
    }),
  ];
  return {
    TableName: tableName,
    Key: keyAttributes(update),
    // Nothing to change is no empty text, which DynamoDB refuses.
    UpdateExpression: clauses.filter((text) => text !== '').join(' ') || undefined,
    ...conditionInput(expression, onlyIf),
  };
}

export function transactionInput(tableName: string, write: Write): TransactWriteItem {
  if ('put' in write) return { Put: putInput(tableName, write) };
  if ('update' in write) return { Update: updateInput(tableName, write) };
  if ('delete' in write) return { Delete: deleteInput(tableName, write) };
  const expression = new Expression();
  const ConditionExpression = write.onlyIf(expression);
  const key = keyAttributes(write.check);
  const check = { TableName: tableName, Key: key, ConditionExpression };
  return { ConditionCheck: { ...check, ...expression.marshalledPlaceholders() } };
}

export function keyAttributes({ pk, sk }: Key) {
  return { pk: { S: pk }, sk: { S: sk } };
}

function clause<Entry>(
  keyword: string,
  entries: readonly Entry[],
  write: (entry: Entry) => string,
): string {
  return entries.length === 0 ? '' : `${keyword} ${entries.map(write).join(', ')}`;
}

function conditionInput(expression: Expression, onlyIf: Condition | undefined) {
  const condition = onlyIf?.(expression);
  return {
    ...(condition !== undefined && {
      ConditionExpression: condition,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    }),
    ...expression.marshalledPlaceholders(),
  };
}
