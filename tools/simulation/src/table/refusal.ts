import type { Item } from './attribute.ts';

export type Document = Record<string, unknown>;

/** What DynamoDB answers: an HTTP status and the JSON of the body. */
export interface DynamoDbResponse {
  status: number;
  body: Document;
}

/** A request that DynamoDB answers with an exception. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The exception's name, without its namespace. */
  readonly code: string;
  readonly answer: DynamoDbResponse;

  constructor(code: string, message: string, more: { status?: number; fields?: Document } = {}) {
    super(message);
    this.code = code;
    this.answer = exceptionAnswer(code, message, more);
  }
}

/** Exceptions that are none of DynamoDB's own, but of the protocol. */
const namespaces: Readonly<Record<string, string>> = {
  ValidationException: 'com.amazon.coral.validate',
  SerializationException: 'com.amazon.coral.service',
  UnknownOperationException: 'com.amazon.coral.service',
};

export function exceptionAnswer(
  code: string,
  message: string,
  { status = 400, fields = {} }: { status?: number; fields?: Document } = {},
): DynamoDbResponse {
  const namespace = namespaces[code] ?? 'com.amazonaws.dynamodb.v20120810';
  // A cancelled transaction spells its message in another way than the rest (API reference,
  // "TransactionCanceledException").
  const spelling = code === 'TransactionCanceledException' ? 'Message' : 'message';
  return { status, body: { __type: `${namespace}#${code}`, [spelling]: message, ...fields } };
}

export function invalid(message: string): Refusal {
  return new Refusal('ValidationException', message);
}

/** Of JSON whose types are not those of the API. */
export function unreadable(message: string): Refusal {
  return new Refusal('SerializationException', message);
}

/** Why one action of a transaction cancels it. */
export interface CancellationReason {
  Code: string;
  Message?: string;
  Item?: Item;
}

/** @param reasons one for each action, in their order */
export function cancellation(reasons: readonly CancellationReason[]): Refusal {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new Refusal(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { fields: { CancellationReasons: reasons } },
  );
}
