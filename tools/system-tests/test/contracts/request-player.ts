import { expectResponse } from '@engawa/http';
import type { ServiceName } from '../running-service.ts';
import type { Services } from '../services.ts';
import type { ContractOperation, Contracts } from './contract-operations.ts';
import type { GeneratedRequest } from './generated-request.ts';
import type { RequestResults } from './request-results.ts';

export interface PlayerOptions {
  services: Services;
  contracts: Contracts;
  random: () => number;
  results: RequestResults;
}

/** Maximum attempts for a streamed response: it breaks off when its rows are deleted meanwhile. */
const mostBroken = 3;

/**
 * Sends generated requests with ETags and cursors of earlier responses, and validates each response
 * by its contract.
 */
export class RequestPlayer {
  readonly #options: PlayerOptions;
  readonly #tags = new Map<string, string>();

  constructor(options: PlayerOptions) {
    this.#options = options;
  }

  /** @throws Error for a 5xx, and for a response that the contract does not allow */
  async play(operation: ContractOperation, request: GeneratedRequest): Promise<void> {
    const cursor = await this.#sendUntilWhole(operation, request);
    if (cursor === undefined || this.#options.random() < 0.5) return;
    const [path = '', search] = request.path.split('?');
    const next = new URLSearchParams(search);
    next.set('cursor', cursor);
    await this.#send(operation, { ...request, path: `${path}?${next.toString()}` });
  }

  async #sendUntilWhole(
    operation: ContractOperation,
    request: GeneratedRequest,
  ): Promise<string | undefined> {
    for (let broken = 1; ; broken += 1) {
      try {
        return await this.#send(operation, request);
      } catch (error) {
        const { cause } = error as Error;
        const brokeOff = (cause as Error | undefined)?.message === 'terminated'; // a TypeError of another realm
        if (!brokeOff) throw error;
        if (broken === mostBroken) {
          this.#options.results.brokenOff += 1;
          return undefined;
        }
      }
    }
  }

  /** @returns the cursor of the response */
  async #send(
    operation: ContractOperation,
    { path, headers, body }: GeneratedRequest,
  ): Promise<string | undefined> {
    const { service, method } = operation;
    const { services, contracts, random, results } = this.#options;
    const [resource = ''] = path.split('?');
    const tag = this.#tags.get(service + resource);
    const conditional = method === 'get' ? 'if-none-match' : 'if-match';
    const useTag = conditional in headers && tag !== undefined && random() < 0.7;
    const answer = await fetch(services.urls[service] + path, {
      method: method.toUpperCase(),
      headers: useTag ? { ...headers, [conditional]: tag } : headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    results.count(operation, answer.status);
    const what = () => `${service}: ${method} ${path} ${(body ?? '').slice(0, 1000)}`;
    if (answer.status >= 500) throw await this.#failure(answer, service, what());
    const given = answer.headers.get('etag');
    if (given !== null) this.#tags.set(service + resource, given);
    try {
      const content = await expectResponse(contracts[service], answer, method);
      return cursorIn(content);
    } catch (error) {
      throw new Error(`the answer to ${what()} is not in the contract`, { cause: error });
    }
  }

  /** With the log of the service: a response does not contain the cause. */
  async #failure(answer: Response, service: ServiceName, what: string): Promise<Error> {
    const text = await answer.text();
    const log = this.#options.services.logOf(service, requestIdIn(text));
    return new Error(`${answer.status} for ${what}: ${text}`, { cause: JSON.stringify(log) });
  }
}

function requestIdIn(problem: string): string {
  const { requestId } = JSON.parse(problem) as { requestId?: string };
  return requestId ?? '';
}

function cursorIn(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null || !('cursor' in content)) return undefined;
  return typeof content.cursor === 'string' ? content.cursor : undefined;
}
