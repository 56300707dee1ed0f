import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WrittenItem {
  pk?: { S?: string };
  sk?: { S?: string };
  offsets?: { L?: { N?: string }[] };
  /** The key in the tables of peers. */
  device?: { S?: string };
  ts?: { S?: string };
}

interface WriteBody {
  /** Of a single put. */
  Item?: WrittenItem;
  /** Of an update. */
  Key?: WrittenItem;
  RequestItems?: Record<string, { PutRequest?: { Item: WrittenItem } }[]>;
}

/** An item of a write request. */
interface Put {
  item: WrittenItem;
  pk: string;
  sk: string;
  readings: number;
}

/** Of a reading block: `#TS#<time of its newest reading>#<hash>`. */
const blockTime = /^#TS#([^#]+)#/;
const throttling = /ProvisionedThroughputExceeded|ThrottlingException|RequestLimitExceeded/;

/** A proxy for a DynamoDB API that reports when each item is stored or throttled. */
export class DurableTap {
  /**
   * A block is stored: of which partition key, how many milliseconds after the time of its newest
   * reading, of how many; and how many milliseconds the request took that stored it.
   */
  onStored: (pk: string, latency: number, readings: number, requestMs: number) => void = () =>
    undefined;
  /** A put of an item was stored, at this time in epoch milliseconds. */
  onPut: (item: WrittenItem, time: number) => void = () => undefined;
  /** An item was updated in place, or its update was throttled. */
  onUpdate: (pk: string, isThrottled: boolean) => void = () => undefined;
  /** An item that was put was throttled, alone or with its batch. */
  onThrottled: (pk: string) => void = () => undefined;
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
    const sentAt = performance.now();
    const sent = request(this.#upstream, options);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat((await response.toArray()) as Buffer[]);
    if (/\.(BatchWriteItem|PutItem|UpdateItem)$/.test(String(asked.headers['x-amz-target']))) {
      this.#note(response.statusCode, body, text, performance.now() - sentAt);
    }
    answer.writeHead(response.statusCode ?? 500, { 'content-type': 'application/x-amz-json-1.0' });
    answer.end(text);
  }

  #note(status: number | undefined, body: Buffer, text: Buffer, requestMs: number): void {
    const now = Date.now();
    const answer = JSON.parse(text.toString()) as {
      __type?: string;
      UnprocessedItems?: WriteBody['RequestItems'];
    };
    const isThrottled = throttling.test(answer.__type ?? '');
    if (status !== 200 && !isThrottled) return;
    const unprocessed = putsOf({ RequestItems: answer.UnprocessedItems ?? {} });
    const back = new Set(unprocessed.map(({ pk, sk }) => pk + sk));
    const write = JSON.parse(body.toString()) as WriteBody;
    if (write.Key !== undefined) this.onUpdate(write.Key.pk?.S ?? '', isThrottled);
    for (const { item, pk, sk, readings } of putsOf(write)) {
      const time = blockTime.exec(sk)?.[1];
      if (isThrottled || back.has(pk + sk)) {
        this.onThrottled(pk);
        continue;
      }
      this.onPut(item, now);
      if (time !== undefined) this.onStored(pk, now - Date.parse(time), readings, requestMs);
    }
  }
}

function putsOf({ Item, RequestItems = {} }: WriteBody): Put[] {
  const batch: WrittenItem[] = Object.values(RequestItems).flatMap((requests) =>
    requests.flatMap(({ PutRequest }) => (PutRequest === undefined ? [] : [PutRequest.Item])),
  );
  return [...batch, ...(Item === undefined ? [] : [Item])].map((item) => ({
    item,
    pk: item.pk?.S ?? '',
    sk: item.sk?.S ?? '',
    readings: item.offsets?.L?.length ?? 1,
  }));
}
