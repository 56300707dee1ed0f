import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface PutRequest {
  PutRequest?: { Item: Record<string, { S?: string }> };
}

/** Of a reading block: `#TS#<time of its newest reading>#<hash>`. */
const blockTime = /^#TS#([^#]+)#/;

/** Stands in front of a DynamoDB API and notes when each reading block has been stored. */
export class DurableTap {
  /** A block is stored: of which partition key, and how many milliseconds after the time of its newest reading. */
  onStored: (pk: string, latency: number) => void = () => undefined;
  readonly #server: Server;
  readonly #upstream: URL;
  readonly #agent = new Agent({ keepAlive: true });

  static async start(upstream: string): Promise<DurableTap> {
    const tap = new DurableTap(upstream);
    tap.#server.listen(0, '127.0.0.1');
    await once(tap.#server, 'listening');
    return tap;
  }

  private constructor(upstream: string) {
    this.#upstream = new URL(upstream);
    this.#server = createServer((asked, answer) => {
      this.#pass(asked, answer).catch(() => answer.destroy());
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

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = Buffer.concat((await asked.toArray()) as Buffer[]);
    const options = { method: 'POST', agent: this.#agent, headers: asked.headers };
    const sent = request(this.#upstream, options);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat((await response.toArray()) as Buffer[]);
    if (
      response.statusCode === 200 &&
      String(asked.headers['x-amz-target']).endsWith('BatchWriteItem')
    ) {
      this.#note(body, text);
    }
    answer.writeHead(response.statusCode ?? 500, { 'content-type': 'application/x-amz-json-1.0' });
    answer.end(text);
  }

  #note(body: Buffer, text: Buffer): void {
    const now = Date.now();
    const { UnprocessedItems } = JSON.parse(text.toString()) as { UnprocessedItems?: object };
    const back = new Set(putsOf(UnprocessedItems ?? {}).map(({ pk, sk }) => pk + sk));
    const { RequestItems } = JSON.parse(body.toString()) as { RequestItems: object };
    for (const { pk, sk } of putsOf(RequestItems)) {
      const time = blockTime.exec(sk)?.[1];
      if (time !== undefined && !back.has(pk + sk)) this.onStored(pk, now - Date.parse(time));
    }
  }
}

function putsOf(requestItems: object): { pk: string; sk: string }[] {
  const requests = Object.values(requestItems).flat() as PutRequest[];
  return requests.flatMap(({ PutRequest: put }) =>
    put === undefined ? [] : [{ pk: put.Item['pk']?.S ?? '', sk: put.Item['sk']?.S ?? '' }],
  );
}
