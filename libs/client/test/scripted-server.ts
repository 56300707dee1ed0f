import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server that sends prepared responses, one after another, and records the requests. */
export class ScriptedServer {
  readonly seen: SeenRequest[] = [];
  url = '';
  #answers: ((response: ServerResponse) => void)[] = [];
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    const { port } = server.#server.address() as AddressInfo;
    server.url = `http://127.0.0.1:${port}`;
    return server;
  }

  /** The prepared responses; the last one is repeated. */
  will(...answers: ((response: ServerResponse) => void)[]): void {
    this.seen.length = 0;
    this.#answers = answers;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const index = this.seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const answer = this.#answers[index - 1] ?? this.#answers.at(-1);
    answer?.(response);
  }
}

export const says =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

export const breaksOff = (response: ServerResponse): void => {
  response.destroy();
};

/** Breaks off within the body. */
export const breaksOffLate = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"items":[');
  setImmediate(() => response.destroy());
};

export const saysHtml =
  (status: number) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end('<html>Please sign in</html>');
  };

export const saysNothing = (): void => undefined;
