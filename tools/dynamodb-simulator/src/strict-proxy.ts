import { once } from 'node:events';
import { operationOf, readText, sendText, serverOf, urlOf } from './exchange.ts';
import { changesTable, planRequest } from './plans/plan-request.ts';
import { exceptionAnswer } from './rules/exceptions.ts';
import { createCaches } from './rules/expression/expression-cache.ts';
import { refusalOf } from './refusals/refusal-of.ts';
import { Upstream, UpstreamRefusal } from './upstream.ts';
import type { IncomingMessage, Server } from 'node:http';
import type { TextResponse } from './exchange.ts';
import type { ClientRequest } from './plans/plan.ts';
import type { Document, DynamoDbResponse } from './rules/exceptions.ts';

/** Of the order of items with equal sort keys. */
const seed = 1;

/** Operations whose response is changed: the order of items, and the capacity of missing items. */
const reads = new Set(['GetItem', 'Query', 'Scan']);

/**
 * A proxy for a DynamoDB API that rejects what DynamoDB rejects, and orders items as DynamoDB may. It limits and counts
 * nothing, so it forwards a write once; the simulator also reads its items before and after.
 */
export class StrictProxy {
  readonly #upstream: Upstream;
  readonly #server: Server;
  readonly #expressions = createCaches();

  /** @param upstream URL of the API behind, which must not verify signatures @returns it listens on a free port */
  static async start(upstream: string): Promise<StrictProxy> {
    const proxy = new StrictProxy(upstream);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(upstream: string) {
    this.#upstream = new Upstream(upstream);
    this.#server = serverOf((request, response) => {
      this.#answer(request).then(
        (answer) => sendText(response, answer),
        (error: unknown) => {
          const message = `the DynamoDB API behind the proxy did not respond: ${String(error)}`;
          sendText(response, textOf(exceptionAnswer('ServiceUnavailable', message)));
        },
      );
    });
  }

  get endpoint(): string {
    return urlOf(this.#server);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    this.#upstream.close();
  }

  async #answer(request: IncomingMessage): Promise<TextResponse> {
    const text = await readText(request);
    const operation = operationOf(request);
    const { headers } = request;
    const body = JSON.parse(text || '{}') as Document;
    const [upstream, expressions] = [this.#upstream, this.#expressions];
    const asked = { operation, body, headers, upstream, expressions, seed };
    try {
      const refusal = await refusalOf(asked);
      if (refusal !== undefined) return textOf(refusal);
      if (reads.has(operation)) return textOf(await read(asked));
    } catch (error) {
      if (!(error instanceof UpstreamRefusal)) throw error;
      return textOf(error.answer);
    }
    if (changesTable(operation)) this.#upstream.forgetTable(String(body['TableName']));
    return this.#upstream.pass(operation, text, headers);
  }
}

async function read(asked: ClientRequest): Promise<DynamoDbResponse> {
  const plan = await planRequest(asked);
  return plan.send(plan.parts);
}

function textOf({ status, body }: DynamoDbResponse): TextResponse {
  return { status, text: JSON.stringify(body) };
}
