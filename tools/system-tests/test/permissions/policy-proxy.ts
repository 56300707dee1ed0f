import { once } from 'node:events';
import { Agent, createServer, request as ask } from 'node:http';
import { demandsOf } from './demands.ts';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Grant, Place } from './policy.ts';

export interface PolicyProxyOptions {
  /** URL of the DynamoDB API to stand in front of. */
  upstream: string;
  place: Place;
  /** The name of who asks through it, for the sentence of a denial. */
  role: string;
  grants: ReadonlySet<Grant>;
}

/** Stands in front of a DynamoDB API, and lets through what a policy allows; the rest is denied as by AWS. */
export class PolicyProxy {
  /** What has been asked for and allowed. */
  readonly used = new Set<Grant>();
  readonly denied = new Set<Grant>();
  readonly #options: PolicyProxyOptions;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;

  static async start(options: PolicyProxyOptions): Promise<PolicyProxy> {
    const proxy = new PolicyProxy(options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(options: PolicyProxyOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    this.#agent.destroy();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const parsed = JSON.parse(body.toString()) as Record<string, unknown>;
    const { place, grants } = this.#options;
    const demands = demandsOf(operation, parsed, place);
    const missing = demands.filter((demand) => !grants.has(demand));
    for (const demand of missing) this.denied.add(demand);
    if (missing[0] !== undefined) {
      this.#deny(response, missing[0]);
      return;
    }
    for (const demand of demands) this.used.add(demand);
    await this.#passOn(request, body, response);
  }

  #deny(response: ServerResponse, demand: Grant): void {
    const [action, resource] = demand.split(' ');
    const who = `arn:aws:sts::${this.#options.place.account}:assumed-role/${this.#options.role}`;
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(
      JSON.stringify({
        __type: 'com.amazon.coral.service#AccessDeniedException',
        Message: `User: ${who} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
      }),
    );
  }

  async #passOn(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const sent = ask(this.#options.upstream, {
      method: 'POST',
      headers: request.headers,
      agent: this.#agent,
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  }
}
