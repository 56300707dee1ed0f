import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import type { MqttClient } from 'mqtt';

const deviceCount = 50;
/** One message in five is an array of this many readings; the others hold a single one. */
const arrayLength = 20;
/** One message in ten is a press of a button: equal messages without a time. */
const pressShare = 0.1;
export const button = 'endurance-button';
/** Publishing pauses at this number, for example while the broker is down. */
const maxUnacknowledged = 500;

export interface LoadOptions {
  url: string;
  minutes: number;
  readings: number;
  random: () => number;
}

/** A reading by its device and number; its time is `startedAt` plus the number in milliseconds. */
export interface AcknowledgedReading {
  device: string;
  number: number;
}

/** Publishes readings at QoS 1 and remembers those whose message the broker acknowledged. */
export class Load {
  /** Numbers of acknowledged readings, by device. */
  readonly taken = new Map<string, number[]>();
  /** Presses whose message the broker acknowledged. */
  pressed = 0;
  /** Epoch milliseconds of the reading with the number 0; the times of a device's readings are unique. */
  readonly startedAt: number;
  readonly #options: LoadOptions;
  readonly #client: MqttClient;
  readonly #publishing = new Set<Promise<void>>();
  #published = 0;
  #acknowledged = 0;

  static async connect(options: LoadOptions): Promise<Load> {
    const client = await connectAsync(options.url, { reconnectPeriod: 200 });
    return new Load(client, options);
  }

  private constructor(client: MqttClient, options: LoadOptions) {
    this.#client = client;
    this.#options = options;
    this.startedAt = Date.now() - options.readings;
    client.on('error', () => undefined); // the client reconnects
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Resolves when the time is over, all readings are published, and all of them are acknowledged. */
  async run(): Promise<void> {
    const { minutes, readings } = this.#options;
    const startedAt = performance.now();
    const durationMs = minutes * 60_000;
    for (;;) {
      const elapsedMs = performance.now() - startedAt;
      if (elapsedMs >= durationMs && this.#published >= readings) break;
      const due = Math.min(1, elapsedMs / durationMs) * readings;
      while (this.#published < due && this.#publishing.size < maxUnacknowledged) {
        if (this.#options.random() < pressShare) this.#press();
        this.#publish();
      }
      await sleep(10);
    }
    await Promise.all(this.#publishing);
  }

  async close(): Promise<void> {
    await this.#client.endAsync();
  }

  #publish(): void {
    const { random } = this.#options;
    const device = `endurance-${Math.floor(random() * deviceCount)}`;
    const length = random() < 0.2 ? arrayLength : 1;
    const numbers = Array.from({ length }, () => this.#published++);
    const readings = numbers.map((number) => {
      return { ts: new Date(this.startedAt + number).toISOString(), number };
    });
    const payload = JSON.stringify(length === 1 ? readings[0] : readings);
    this.#send(device, payload, () => {
      this.#acknowledged += numbers.length;
      const taken = this.taken.get(device);
      if (taken === undefined) this.taken.set(device, numbers);
      else taken.push(...numbers);
    });
  }

  #press(): void {
    this.#send(button, '{"action":"single"}', () => (this.pressed += 1));
  }

  #send(device: string, payload: string, acknowledged: () => void): void {
    const publishing = this.#client
      .publishAsync(`engawa/${device}/readings`, payload, { qos: 1 })
      .then(() => {
        this.#publishing.delete(publishing);
        acknowledged();
      });
    this.#publishing.add(publishing);
  }
}
