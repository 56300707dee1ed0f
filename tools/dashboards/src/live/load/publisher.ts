import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'mqtt';
import type { MqttClient } from 'mqtt';

/** Milliseconds between two checks of due messages. */
const tickMs = 20;

export interface Message {
  topic: string;
  payload: string;
  qos: 0 | 1;
}

export interface PublisherOptions {
  url: string;
  /** Messages a second. */
  rate: number;
  /** @param number counted from 0 */
  message: (number: number) => Message;
}

/** Publishes at a rate until it is closed; reconnects automatically. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #client: MqttClient;
  #ended = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#client = connect(options.url, { reconnectPeriod: 200 });
    // The client reconnects; the session restarts the broker on purpose.
    this.#client.on('error', () => undefined);
    void this.#run();
  }

  /** Drops messages that the broker has not acknowledged. */
  close(): void {
    this.#ended = true;
    this.#client.end(true);
  }

  async #run(): Promise<void> {
    const start = performance.now();
    let published = 0;
    while (!this.#ended) {
      const due = Math.floor(((performance.now() - start) * this.#options.rate) / 1000);
      for (; published < due; published++) {
        const { topic, payload, qos } = this.#options.message(published);
        this.#client.publish(topic, payload, { qos });
      }
      await sleep(tickMs);
    }
  }
}
