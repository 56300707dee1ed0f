import type { RequestOutcome, Span } from '../../oracles/entities-ledger.ts';
import type { GatewayRequest } from '../../world/gateway.ts';
import type { ActorContext } from '../actor.ts';

export interface CatalogResponse {
  outcome: RequestOutcome;
  /** Undefined without a response. */
  status: number | undefined;
  /** The last part of a problem's type. */
  code: string;
  body: Record<string, unknown>;
  etag: string | undefined;
  span: Span;
  text: string;
}

/** A client of the catalog, which sends each request once, to any replica. */
export class CatalogClient {
  readonly #context: ActorContext;
  /** Number of responses by method and code. */
  readonly counts = new Map<string, number>();

  constructor(context: ActorContext) {
    this.#context = context;
  }

  async send(request: GatewayRequest): Promise<CatalogResponse> {
    const { world, gateway, narrate } = this.#context;
    const { method = 'GET', path, body, headers } = request;
    const from = world.now();
    const answer = await gateway.ask('catalog', request);
    const { status } = answer;
    const text = status === undefined ? answer.reason : answer.text;
    const parsed = status === undefined ? {} : parse(text);
    const etag = status === undefined ? undefined : answer.headers['etag'];
    const code = status === undefined ? 'no-answer' : codeOf(status, parsed);
    const outcome = outcomeOf(answer, code);
    const given = [body, headers].flatMap((part) => part ?? []).map((part) => JSON.stringify(part));
    narrate(`${method} ${path} ${given.join(' ').slice(0, 300)}: ${status ?? text} ${code}`);
    this.#count(`${method} ${code}`);
    const to = outcome === 'unknown' ? Infinity : world.now();
    const span = { from, to };
    return { outcome, status, code, body: parsed, etag: etag as string | undefined, span, text };
  }

  /** Retries a request until it gets a response. Only for idempotent requests. */
  async insist(request: GatewayRequest): Promise<CatalogResponse> {
    for (let attempts = 1; ; attempts++) {
      const answer = await this.send(request);
      if (answer.outcome !== 'unknown' && answer.code !== 'no-answer') return answer;
      if (attempts > maxAttempts) throw new Error(`${request.path}: ${answer.text}`);
      await this.#context.gateway.sleep(retryMs);
    }
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

const retryMs = 500;
/** Attempts of ten minutes. */
const maxAttempts = 1200;

type Answered = Awaited<ReturnType<ActorContext['gateway']['ask']>>;

/** After a lost lock a bulk request may have written other entities, as after a failure of the service. */
function outcomeOf(answer: Answered, code: string): RequestOutcome {
  if (answer.status === undefined) return wasNotSent(answer.reason) ? 'refused' : 'unknown';
  if (answer.status < 300) return 'taken';
  return answer.status < 500 && code !== 'too-many-conflicts' ? 'refused' : 'unknown';
}

function wasNotSent(reason: string): boolean {
  return reason === 'no catalog is ready' || reason.includes('ECONNREFUSED');
}

function codeOf(status: number, { type }: Record<string, unknown>): string {
  if (status < 300) return 'taken';
  const name = typeof type === 'string' ? type : `/${status}`;
  return name.slice(name.lastIndexOf('/') + 1);
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
