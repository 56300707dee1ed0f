import type { IncomingHttpHeaders } from 'node:http';
import type { Charge } from '../charge.ts';
import type { Throttle } from '../limits.ts';
import type { DynamoDbResponse, Document, Upstream } from '../upstream.ts';

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
  /** The response for a throttled transaction, which is cancelled. */
  cancelled?(throttle: Throttle, part: RequestPart): DynamoDbResponse;
}

/** A request of a client, with the API behind. */
export interface ClientRequest {
  operation: string;
  body: Document;
  headers: IncomingHttpHeaders;
  upstream: Upstream;
  /** Of the random numbers. */
  seed: number;
}

/** The detail of consumed capacity that the client requests. */
export function capacityDetail({ body }: ClientRequest): string {
  const wanted = body['ReturnConsumedCapacity'];
  return wanted === 'INDEXES' || wanted === 'TOTAL' ? wanted : 'NONE';
}
