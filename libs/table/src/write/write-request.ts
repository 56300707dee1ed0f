import { marshal } from '../items/marshal.ts';
import { Expression } from '../items/expression.ts';
import { keyAttributes } from '../items/item-id.ts';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Key } from '@engawa/keys';
import type { Document, DocumentValue, ExactNumber } from '@engawa/model';
import type { Condition, Path } from '../items/expression.ts';

/** An item to store: any document with the table's two key attributes. */
export type TableItem = Readonly<Document> | Readonly<Key>;

export interface Put {
  put: TableItem;
  onlyIf?: Condition;
}

export interface SingleWrite {
  /**
   * Gives the item a `writeId`, by which a retry after a lost response recognises its own write
   * when `onlyIf` no longer holds. Transactions have a token for that.
   */
  idempotent?: boolean;
}

export interface Update {
  update: Key;
  set?: Record<string, DocumentValue>;
  /** Sets fields inside maps, which must exist; other fields of the maps stay. */
  setInside?: readonly { path: Path; value: DocumentValue }[];
  remove?: readonly Path[];
  /** Adds to a number inside a map, which must exist, or to 0; exact, or ItemRejected beyond 38 digits. */
  addInside?: readonly { path: Path; value: ExactNumber }[];
  /** Adds to a number, or to 0. May count twice when a response is lost. */
  add?: Record<string, number>;
  onlyIf?: Condition;
}

export interface Delete {
  delete: Key;
  onlyIf?: Condition;
}

/** Writes nothing; the transaction takes place only if the condition holds. */
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

export function updateInput(tableName: string, { update, onlyIf, ...change }: Update) {
  const { set = {}, setInside = [], addInside = [], remove = [], add = {} } = change;
  const whole = Object.entries(set).map(([path, value]) => ({ path, value }));
  const values: NonNullable<Update['setInside']> = [...whole, ...setInside];
  const expression = new Expression();
  const assignments = [
    ...values.map(({ path, value }) => `${expression.name(path)} = ${expression.value(value)}`),
    ...addInside.map(({ path, value }) => {
      const field = expression.name(path);
      // ADD takes no path (API reference, UpdateItem: "only be used on top-level attributes").
      return `${field} = if_not_exists(${field}, ${expression.value(0)}) + ${expression.value(value)}`;
    }),
  ];
  const clauses = [
    clause('SET', assignments, (text) => text),
    clause('REMOVE', remove, (path) => expression.name(path)),
    clause('ADD', Object.entries(add), ([field, value]) => {
      return `${expression.name(field)} ${expression.value(value)}`;
    }),
  ];
  return {
    TableName: tableName,
    Key: keyAttributes(update),
    // DynamoDB rejects an empty expression.
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
  const ReturnValuesOnConditionCheckFailure = 'ALL_OLD' as const;
  const condition = { ConditionExpression, ReturnValuesOnConditionCheckFailure };
  const check = { TableName: tableName, Key: key, ...condition };
  return { ConditionCheck: { ...check, ...expression.marshalledPlaceholders() } };
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
