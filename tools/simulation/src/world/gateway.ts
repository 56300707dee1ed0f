import type { Random, World } from '../kernel/index.ts';
import type { Deployment } from './deployment.ts';
import type { HttpAnswer, HttpClient, NoAnswer } from './http-client.ts';
import type { ServiceName } from './load-services.ts';

export interface GatewayRequest {
  method?: string;
  /** With the query. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export interface GatewayOptions {
  world: World;
  deployment: Deployment;
  client: HttpClient;
}

/** Milliseconds between two attempts. */
const retryMs = 500;
/** Milliseconds after which a service that never answers counts as down for good. */
const patienceMs = 600_000;

/** What stands in front of the services and sends each request to one of their ready replicas. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #random: Random;
  #requests = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#random = options.world.random.fork();
  }

  /** Attempts, also those that found no replica ready. */
  get requests(): number {
    return this.#requests;
  }

  /** One attempt. */
  async ask(service: ServiceName, request: GatewayRequest): Promise<HttpAnswer | NoAnswer> {
    const { deployment, client } = this.#options;
    this.#requests += 1;
    const ready = deployment.readyReplicas(service);
    if (ready.length === 0) return { status: undefined, reason: `no ${service} is ready` };
    const { port } = this.#random.pick(ready);
    const { method = 'GET', ...rest } = request;
    return client.ask({ port, method, ...rest });
  }

  /**
   * Again until there is an answer below 500 that is not 429. Only for what may be asked twice.
   *
   * @throws Error where there is none for ten minutes
   */
  async insist(service: ServiceName, request: GatewayRequest): Promise<HttpAnswer> {
    const { world } = this.#options;
    const end = world.now() + patienceMs;
    for (;;) {
      const answer = await this.ask(service, request);
      const isFinal = answer.status !== undefined && answer.status < 500 && answer.status !== 429;
      if (isFinal) return answer;
      if (world.now() > end) throw new Error(`${request.path}: ${describe(answer)}`);
      await this.sleep(retryMs);
    }
  }

  sleep(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.world.schedule(forMs, 'a client goes on', resolve);
    });
  }
}

export function describe(answer: HttpAnswer | NoAnswer): string {
  return answer.status === undefined ? answer.reason : `${answer.status} ${answer.text}`;
}
