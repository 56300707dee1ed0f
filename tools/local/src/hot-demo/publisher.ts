import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'mqtt';
import type { MqttClient } from 'mqtt';

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
  readonly #client: MqttClient;
  #ended = false;
  /** Epoch milliseconds of the latest reading. */
  #lastAt = 0;
  /** So many were published. */
  count = 0;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#client = connect(options.url);
    // It connects again by itself; what cannot be published is missing in the end, and that is seen.
    this.#client.on('error', () => undefined);
    void this.#run();
  }

  stop(): void {
    this.#ended = true;
  }

  /** At once: what the broker has not taken is given up. */
  close(): void {
    this.#ended = true;
    this.#client.end(true);
  }

  async #run(): Promise<void> {
    const start = performance.now();
    while (!this.#ended) {
      const due = Math.floor(((performance.now() - start) * this.#options.rate) / 1000);
      while (this.count < due) this.#publish();
      await sleep(tick);
    }
  }

  #publish(): void {
    const { devices, fields } = this.#options;
    // No time twice: a reading is known by its device and time.
    this.#lastAt = Math.max(this.#lastAt + 1, Date.now());
    const device = devices[this.count % devices.length] ?? '';
    const payload = JSON.stringify({ ts: this.#lastAt, ...fields });
    this.#client.publish(`engawa/${device}/readings`, payload, { qos: 1 });
    this.count += 1;
  }
}
