import type { Random, World } from '../kernel/index.ts';
import type { Deployment } from './deployment.ts';
import type { HttpResponse, HttpClient, NoResponse } from './http-client.ts';
import type { ServiceName } from './load-services.ts';

export interface GatewayRequest {
  method?: string;
  /** Includes the query. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** JSON that is sent as it is, instead of `body`. */
  json?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface GatewayOptions {
  world: World;
  deployment: Deployment;
  client: HttpClient;
}

/** Milliseconds between two attempts. */
const retryMs = 500;
/** Maximum milliseconds until a service has to respond. */
const timeoutMs = 600_000;

/** The load balancer in front of the services, which sends each request to a ready replica. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #random: Random;
  #requests = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#random = options.world.random.fork();
  }

  /** Number of attempts, including those without a ready replica. */
  get requests(): number {
    return this.#requests;
  }

  /** Sends a request once. */
  async ask(service: ServiceName, request: GatewayRequest): Promise<HttpResponse | NoResponse> {
    const { deployment, client } = this.#options;
    this.#requests += 1;
    const ready = deployment.readyReplicas(service);
    if (ready.length === 0) return { status: undefined, reason: `no ${service} is ready` };
    const { port } = this.#random.pick(ready);
    const { method = 'GET', ...rest } = request;
    return client.ask({ port, method, ...rest });
  }

  /**
   * Retries a request until its response is final. Only for idempotent requests.
   *
   * @throws Error without such a response for ten minutes
   */
  async insist(service: ServiceName, request: GatewayRequest): Promise<HttpResponse> {
    const { world } = this.#options;
    const end = world.now() + timeoutMs;
    for (;;) {
      const answer = await this.ask(service, request);
      if (isFinal(answer)) return answer;
      if (world.now() > end) throw new Error(`${request.path}: ${describe(answer)}`);
      await this.sleep(retryMs);
    }
  }

  sleep(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.world.schedule(forMs, 'a client continues', resolve);
    });
  }
}

/** Whether a response is neither a failure of the service nor one that asks for a retry. */
export function isFinal(answer: HttpResponse | NoResponse): answer is HttpResponse {
  if (answer.status === undefined) return false;
  if (answer.status === 409 && answer.text.includes('/problems/too-many-conflicts')) return false;
  return answer.status < 500 && answer.status !== 429;
}

export function describe(answer: HttpResponse | NoResponse): string {
  return answer.status === undefined ? answer.reason : `${answer.status} ${answer.text}`;
}
