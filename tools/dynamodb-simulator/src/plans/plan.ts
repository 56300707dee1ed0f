import type { IncomingHttpHeaders } from 'node:http';
import type { Charge } from '../charge.ts';
import type { Throttle } from '../limits.ts';
import type { DynamoDbResponse, Document, Upstream } from '../upstream.ts';

/** What a request is made of, where each part can be let through by itself. */
export interface RequestPart {
  /** What it costs as far as is known before it has taken place. */
  charges: readonly Charge[];
}

export interface Sent extends DynamoDbResponse {
  /** What it turned out to cost beyond the charges of its parts. */
  more: readonly Charge[];
}

/** How one request is sent, whole or in part. */
export interface Plan {
  parts: readonly RequestPart[];
  /** Sends what is let through: for a batch some of the parts, for anything else all. */
  send(admitted: readonly RequestPart[]): Promise<Sent>;
  /** Why it did not take place, for what can be cancelled rather than throttled. */
  cancelled?(throttle: Throttle, part: RequestPart): DynamoDbResponse;
}

/** One request on its way. */
export interface ClientRequest {
  operation: string;
  body: Document;
  headers: IncomingHttpHeaders;
  upstream: Upstream;
  /** Of what is left to chance. */
  seed: number;
}

/** How much the asker wants to be told of what was consumed. */
export function capacityDetail({ body }: ClientRequest): string {
  const wanted = body['ReturnConsumedCapacity'];
  return wanted === 'INDEXES' || wanted === 'TOTAL' ? wanted : 'NONE';
}
