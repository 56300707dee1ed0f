import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import type { MqttClient } from 'mqtt';

/** Messages that wait for the broker's acknowledgement at once. */
const concurrency = 20;

/** Publishes readings of one device, QoS 1, a second apart by their time, until it is told to end. */
export class ReadingsPublisher {
  readonly device = 'streaming';
  /** The numbers of the readings that the broker has taken, in order. */
  readonly taken: number[] = [];
  readonly #client: MqttClient;
  readonly #start = Date.now() - 86_400_000;
  #next = 0;
  #isEnding = false;
  #published: Promise<unknown> = Promise.resolve();

  static async start(url: string): Promise<ReadingsPublisher> {
    const publisher = new ReadingsPublisher(await connectAsync(url));
    publisher.#published = Promise.all(
      Array.from({ length: concurrency }, () => publisher.#publish()),
    );
    return publisher;
  }

  private constructor(client: MqttClient) {
    this.#client = client;
  }

  async #publish(): Promise<void> {
    while (!this.#isEnding) {
      const number = this.#next++;
      const ts = new Date(this.#start + number * 1000).toISOString();
      const payload = JSON.stringify({ ts, number });
      await this.#client.publishAsync(`engawa/${this.device}/readings`, payload, { qos: 1 });
      this.taken.push(number);
      // So many a second that stopping takes less time than they do.
      await sleep(10);
    }
  }

  async untilTaken(count: number): Promise<void> {
    await until(`${count} messages taken`, () => this.taken.length >= count);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#published;
    await this.#client.endAsync();
    this.taken.sort((one, other) => one - other);
  }
}

/** The numbers of the readings that the query API has of the device, in order. */
export async function storedReadings(url: string, device: string): Promise<number[]> {
  const numbers: number[] = [];
  const from = new Date(Date.now() - 2 * 86_400_000).toISOString();
  let cursor: string | undefined;
  do {
    const asked = new URLSearchParams({ from, limit: '1000', ...(cursor && { cursor }) });
    const answer = await fetch(`${url}/v1/devices/${device}/readings?${asked.toString()}`);
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const page = (await answer.json()) as {
      items: { fields: { number: number } }[];
      cursor?: string;
    };
    numbers.push(...page.items.map(({ fields }) => fields.number));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return numbers.sort((one, other) => one - other);
}
