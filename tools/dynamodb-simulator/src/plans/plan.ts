import { capacityDetail } from '../rules/requests/fields.ts';
import { consumedCapacities } from '../rules/charge.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { Charge } from '../rules/charge.ts';
import type { Document, DynamoDbResponse } from '../rules/exceptions.ts';
import type { ExpressionCaches } from '../rules/expression/expression-cache.ts';
import type { Upstream } from '../upstream.ts';

/** A part of a request that can be admitted separately. */
export interface RequestPart {
  /** Its cost as far as it is known before the request. */
  charges: readonly Charge[];
}

export interface SendResult extends DynamoDbResponse {
  /** Its cost beyond the charges of its parts. */
  more: readonly Charge[];
}

/** A request split into parts, and how to send them. */
export interface Plan {
  parts: readonly RequestPart[];
  /** Sends the admitted parts: of a batch any number, otherwise all. */
  send(admitted: readonly RequestPart[]): Promise<SendResult>;
  /** The charges of each action of a transaction, which is cancelled if one is throttled. */
  actions?: readonly (readonly Charge[])[];
}

/** A request of a client, with the API behind. */
export interface ClientRequest {
  operation: string;
  body: Document;
  headers: IncomingHttpHeaders;
  upstream: Upstream;
  expressions: ExpressionCaches;
  /** Of the random numbers, and of the order of items with equal sort keys. */
  seed: number;
}

/** The ConsumedCapacity of a response, for each table, in the detail that the client requests. */
export function capacitiesOf({ operation, body }: ClientRequest, charges: readonly Charge[]) {
  const detail = capacityDetail(body);
  if (detail === 'NONE') return undefined;
  return consumedCapacities(charges, detail, operation.startsWith('Transact'));
}
