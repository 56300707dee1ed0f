import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import type { MqttClient } from 'mqtt';
import type { SentReading } from '../publisher.ts';

export interface HotLoadOptions {
  url: string;
  device: string;
  /** Messages per second, with one reading each. */
  rate: number;
  /** Bytes of text in each reading: with a kilobyte of it no other fits into its block. */
  textBytes?: number;
}

/** Milliseconds between two rounds of publishing. */
const step = 20;

/** One device that publishes at a fixed rate, and records what was acknowledged. */
export class HotLoad {
  readonly taken: SentReading[] = [];
  readonly #options: HotLoadOptions;
  readonly #client: MqttClient;
  readonly #publishing = new Set<Promise<unknown>>();

  static async connect(options: HotLoadOptions): Promise<HotLoad> {
    return new HotLoad(options, await connectAsync(options.url));
  }

  private constructor(options: HotLoadOptions, client: MqttClient) {
    this.#options = options;
    this.#client = client;
  }

  /**
   * Publishes until it is stopped. Resolves when all messages are acknowledged, or at once if the
   * caller does not wait.
   */
  async publish(
    isEnough: () => boolean | Promise<boolean>,
    { waits = true }: { waits?: boolean } = {},
  ): Promise<void> {
    const start = Date.now();
    let published = 0;
    while (!(await isEnough())) {
      const due = ((Date.now() - start) / 1000) * this.#options.rate;
      for (; published < due; published++) this.#publishOne(start, published);
      await sleep(step);
    }
    if (waits) await this.settled();
  }

  /** Resolves when all published messages are acknowledged. */
  async settled(): Promise<void> {
    await Promise.all(this.#publishing);
  }

  async close(): Promise<void> {
    await this.#client.endAsync();
  }

  #publishOne(start: number, index: number): void {
    const { device, textBytes = 0 } = this.#options;
    const time = new Date(start + index).toISOString();
    const fields = { index, value: index };
    const payload = JSON.stringify({ ts: time, ...fields, text: 'x'.repeat(textBytes) });
    const topic = `engawa/${device}/readings`;
    const publishing = this.#client.publishAsync(topic, payload, { qos: 1 }).then(() => {
      this.taken.push({ device, time, fields, topic, payload });
      this.#publishing.delete(publishing);
    });
    this.#publishing.add(publishing);
  }
}
