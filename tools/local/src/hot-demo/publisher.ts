import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';

/** Milliseconds between two looks at what is due. */
const tick = 20;

export interface PublisherOptions {
  url: string;
  /** They take turns. */
  devices: readonly string[];
  /** Readings a second of all of them together. */
  rate: number;
  /** What each of them says. */
  fields: Readonly<Record<string, number | string>>;
}

/** Publishes readings at a rate, over a connection of its own, until it is stopped. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #done: Promise<void>;
  #ended = false;
  /** So many were published, the last of them at `lastAt`, in epoch milliseconds. */
  count = 0;
  lastAt = 0;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#done = this.#run();
    this.#done.catch(() => undefined); // whoever stops it hears of it
  }

  /** Resolves when the broker has taken all of it. */
  stop(): Promise<void> {
    this.#ended = true;
    return this.#done;
  }

  async #run(): Promise<void> {
    const { url, devices, rate, fields } = this.#options;
    const client = await connectAsync(url);
    const taken: Promise<unknown>[] = [];
    const start = performance.now();
    while (!this.#ended) {
      const due = Math.floor(((performance.now() - start) * rate) / 1000);
      for (; this.count < due; this.count++) {
        // No time twice: a reading is known by its device and time.
        this.lastAt = Math.max(this.lastAt + 1, Date.now());
        const device = devices[this.count % devices.length] ?? '';
        const payload = JSON.stringify({ ts: this.lastAt, ...fields });
        taken.push(client.publishAsync(`engawa/${device}/readings`, payload, { qos: 1 }));
      }
      await sleep(tick);
    }
    await Promise.all(taken);
    await client.endAsync();
  }
}
