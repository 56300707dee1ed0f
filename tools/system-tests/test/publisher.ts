import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import type { MqttClient } from 'mqtt';
import { randomFrom } from '@engawa/testing';

/** A sent reading, as the query API should return it. */
export interface SentReading {
  device: string;
  time: string;
  fields: Record<string, number>;
  /** As it was sent. */
  topic: string;
  payload: string;
}

export interface PublisherOptions {
  url: string;
  seed: number;
  devices: number;
  /** Of the devices' ids; `system` when absent. */
  prefix?: string;
  /** Milliseconds between two messages; 0 when absent. */
  pause?: number;
  /** Maximum number of unacknowledged messages. */
  concurrency: number;
  /** Every tenth message is followed by a press of this button: equal messages without a time, in bursts. */
  button?: string | undefined;
}

const messagesPerPress = 10;

/** Publishes single readings at QoS 1, and records which of them the broker acknowledged. */
export class Publisher {
  readonly #client: MqttClient;
  readonly #options: PublisherOptions;
  readonly #random: () => number;
  readonly taken: SentReading[] = [];
  /** Presses that the broker acknowledged. */
  pressed = 0;
  /** Presses that the broker may have received twice: they were unacknowledged when the connection ended. */
  pressedAgain = 0;
  #pressing = 0;
  #stopped = false;

  static async connect(options: PublisherOptions): Promise<Publisher> {
    return new Publisher(await connectAsync(options.url), options);
  }

  private constructor(client: MqttClient, options: PublisherOptions) {
    this.#client = client;
    this.#options = options;
    this.#random = randomFrom(options.seed);
    client.on('close', () => (this.pressedAgain += this.#pressing));
  }

  /** Resolves when the broker has acknowledged all of them. Times are a minute apart, and unique per device. */
  async publish(count: number): Promise<void> {
    const start = Date.now() - (count * 60_000) / this.#options.devices;
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count && !this.#stopped) await this.#publishOne(next++, start);
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, worker));
  }

  /** Cancels unsent messages; `publish` resolves. */
  stop(): void {
    this.#stopped = true;
  }

  async #publishOne(index: number, start: number): Promise<void> {
    const { prefix = 'system', devices, pause = 0 } = this.#options;
    const device = `${prefix}-${index % devices}`;
    const time = new Date(start + Math.floor(index / devices) * 60_000).toISOString();
    const fields = { index, value: Math.round(this.#random() * 1e6) / 1e3 };
    const payload = JSON.stringify({ ts: time, ...fields });
    const topic = `engawa/${device}/readings`;
    await this.#client.publishAsync(topic, payload, { qos: 1 });
    this.taken.push({ device, time, fields, topic, payload });
    if (index % messagesPerPress === 0) await this.#press();
    if (pause > 0) await sleep(pause);
  }

  async #press(): Promise<void> {
    const { button } = this.#options;
    if (button === undefined) return;
    this.#pressing += 1;
    await this.#client.publishAsync(`engawa/${button}/readings`, '{"action":"single"}', { qos: 1 });
    this.#pressing -= 1;
    this.pressed += 1;
  }

  /** Publishes messages that no decoder accepts. */
  async publishPoison(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const topic = `engawa/${this.#options.prefix ?? 'system'}-poison/readings`;
      const payload = `{"poison":${index},"cut`;
      await this.#client.publishAsync(topic, payload, { qos: 1 });
      this.taken.push({
        device: 'poison',
        time: new Date().toISOString(),
        fields: {},
        topic,
        payload,
      });
    }
  }

  async close(): Promise<void> {
    await this.#client.endAsync();
  }
}
