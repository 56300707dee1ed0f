import { Agent, request } from 'node:http';
import type { World } from '../kernel/index.ts';

export interface HttpRequest {
  port: number;
  method: string;
  /** Includes the query. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** JSON that is sent as it is, instead of `body`. */
  json?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  /** By default 15,000. */
  timeoutMs?: number;
}

export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/** A request without a response may have taken effect or not. */
export interface NoResponse {
  status: undefined;
  reason: string;
}

/** A client of the services' HTTP APIs with keep-alive connections. */
export class HttpClient {
  readonly #world: World;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor(world: World) {
    this.#world = world;
  }

  ask(question: HttpRequest): Promise<HttpResponse | NoResponse> {
    const { port, method, path, body, json, headers, timeoutMs = 15_000 } = question;
    const { promise, resolve } = Promise.withResolvers<HttpResponse | NoResponse>();
    const sent = body === undefined ? json : JSON.stringify(body);
    const contentType = sent === undefined ? {} : { 'content-type': 'application/json' };
    const asked = request({
      ...{ port, method, path, agent: this.#agent, host: '127.0.0.1' },
      headers: { ...contentType, ...headers },
    });
    const timer = this.#world.schedule(timeoutMs, 'a client times out', () => {
      asked.destroy(new Error('no response in time'));
    });
    const fail = (error: Error) => {
      timer.cancel();
      resolve({ status: undefined, reason: error.message });
    };
    asked.on('error', fail);
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', fail);
      response.on('end', () => {
        timer.cancel();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    asked.end(sent);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
