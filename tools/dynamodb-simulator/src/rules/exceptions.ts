import type { Item } from './attribute.ts';

export type Document = Record<string, unknown>;

/** A response of DynamoDB: the HTTP status and the JSON of the body. */
export interface DynamoDbResponse {
  status: number;
  body: Document;
}

/** The rejection of a request with an exception. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The exception's name, without its namespace. */
  readonly code: string;
  readonly answer: DynamoDbResponse;

  constructor(code: string, message: string, fields: Document = {}) {
    super(message);
    this.code = code;
    this.answer = exceptionAnswer(code, message, fields);
  }
}

/** Namespaces of exceptions of the protocol, which differ from DynamoDB's own. */
const namespaces: Readonly<Record<string, string>> = {
  ValidationException: 'com.amazon.coral.validate',
  SerializationException: 'com.amazon.coral.service',
  UnknownOperationException: 'com.amazon.coral.service',
};

/** HTTP statuses of exceptions, where they are not 400 (API reference, "Common Error Types"). */
const statuses: Readonly<Record<string, number>> = {
  InternalServerError: 500,
  ServiceUnavailable: 503,
  ServiceUnavailableException: 503,
};

/** DynamoDB's response for an exception. */
export function exceptionAnswer(
  code: string,
  message: string,
  fields: Document = {},
): DynamoDbResponse {
  const namespace = namespaces[code] ?? 'com.amazonaws.dynamodb.v20120810';
  // TransactionCanceledException spells `Message`, unlike other exceptions (API reference,
  // "TransactionCanceledException").
  const spelling = code === 'TransactionCanceledException' ? 'Message' : 'message';
  return {
    status: statuses[code] ?? 400,
    body: { __type: `${namespace}#${code}`, [spelling]: message, ...fields },
  };
}

export function invalid(message: string): Refusal {
  return new Refusal('ValidationException', message);
}

/** The rejection of JSON with wrong types. */
export function unreadable(message: string): Refusal {
  return new Refusal('SerializationException', message);
}

/** The reason why an action cancels its transaction. */
export interface CancellationReason {
  Code: string;
  Message?: string;
  Item?: Item;
}

/** @param reasons one per action, in order */
export function cancellation(reasons: readonly CancellationReason[]): Refusal {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new Refusal(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}
