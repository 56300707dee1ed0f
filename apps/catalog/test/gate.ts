import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import { text } from 'node:stream/consumers';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the table, as it goes over the wire. */
export interface TableRequest {
  /** Of DynamoDB: `Query`, `TransactWriteItems`. */
  operation: string;
  body: string;
}

/** One request that is held back. */
export interface Held {
  /** Resolves once it has come. */
  arrived: Promise<unknown>;
  /** Lets it through. */
  release(): void;
}

type IsMeant = (request: TableRequest) => boolean;

interface Hold {
  isMeant: IsMeant;
  arrived: () => void;
  released: Promise<unknown>;
}

/** Stands before the table and holds back single requests of one replica, so that others come in between. */
export class Gate {
  /** What has come, in that order. */
  readonly requests: TableRequest[] = [];
  readonly #upstream: string;
  readonly #server: Server;
  readonly #holds = new Set<Hold>();
  readonly #losses = new Set<IsMeant>();

  static async start(upstream: string): Promise<Gate> {
    const gate = new Gate(upstream);
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  private constructor(upstream: string) {
    this.#upstream = upstream;
    this.#server = createServer((request, response) => {
      this.#pass(request, response).catch(() => response.destroy());
    });
  }

  /** Leads a service through it, which waits as long as a test may hold it. */
  get environment(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return { DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}`, DYNAMODB_TIMEOUT_MS: '60000' };
  }

  /** Holds back the next request that is meant. */
  hold(isMeant: IsMeant): Held {
    const arrived = Promise.withResolvers();
    const released = Promise.withResolvers();
    const hold = { isMeant, arrived: () => arrived.resolve(true), released: released.promise };
    this.#holds.add(hold);
    return { arrived: arrived.promise, release: () => released.resolve(true) };
  }

  /** Loses the answer to the next request that is meant: it takes place. */
  loseAnswer(isMeant: IsMeant): void {
    this.#losses.add(isMeant);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const came = { operation, body };
    this.requests.push(came);
    const hold = [...this.#holds].find(({ isMeant }) => isMeant(came));
    if (hold !== undefined) {
      this.#holds.delete(hold);
      hold.arrived();
      await hold.released;
    }
    const { method, headers } = request;
    const onward = ask(this.#upstream, { method, headers });
    onward.end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const loss = [...this.#losses].find((isMeant) => isMeant(came));
    if (loss !== undefined) {
      this.#losses.delete(loss);
      await text(answer);
      response.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  }
}

export function isTransaction({ operation }: TableRequest): boolean {
  return operation === 'TransactWriteItems';
}

/** Puts rows that are to count once the staged write is decided. */
export function stages({ operation, body }: TableRequest): boolean {
  return operation === 'TransactWriteItems' && body.includes('"staged":{"M":');
}

/** The moment of a staged write. */
export function decides({ operation, body }: TableRequest): boolean {
  return operation === 'TransactWriteItems' && body.includes('"settles":{"S":');
}

/** Makes rows of a staged write that was decided what they count for. */
export function settles({ operation, body }: TableRequest): boolean {
  return operation === 'TransactWriteItems' && /"#f\d+":"settles"/.test(body);
}
