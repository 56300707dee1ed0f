import { startDynamoDbProxy } from '@engawa/testing';
import type { DynamoDbProxy } from '@engawa/testing';
import type { JsonResponse } from './json-response.ts';

export type Body = Record<string, unknown>;

export interface JsonProxyOptions {
  /** URL of the DynamoDB API behind the proxy. */
  upstream: string;
  /** Responds directly, or with upstream's response to `ask`. */
  answer: (
    operation: string,
    body: Body,
    ask: (body: Body) => Promise<JsonResponse>,
  ) => Promise<JsonResponse>;
}

/** A proxy for a DynamoDB API. Handlers may read and change bodies, whose numbers are strings. */
export function startJsonProxy({ upstream, answer }: JsonProxyOptions): Promise<DynamoDbProxy> {
  return startDynamoDbProxy(upstream, async ({ operation, body: text, forward }) => {
    const { status, body } = await answer(operation, JSON.parse(text) as Body, async (asked) => {
      const response = await forward(JSON.stringify(asked));
      return { status: response.status, body: JSON.parse(response.body) as Body };
    });
    return { status, body: JSON.stringify(body) };
  });
}
