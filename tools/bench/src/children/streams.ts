// Publishes single readings whose time is that of publishing, each stream at its rate and over a connection of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { serve } from '../serve.ts';

/** Milliseconds between two checks for due messages. */
const tickMs = 5;

export interface StreamInput {
  name: string;
  /** They take turns. */
  devices: readonly string[];
  /** Readings a second of all of them together. */
  rate: number;
  /** Bytes of a text in each reading. */
  text: number;
}

/** Epoch milliseconds of the readings that the broker has taken, by device. */
export type SentTimes = Record<string, number[]>;

export interface StreamsMethods {
  start(input: StreamInput): Promise<void>;
  /** Resolves when the broker has taken all that was published. */
  stop(input: { name: string }): Promise<SentTimes>;
}

const { url } = JSON.parse(process.argv[2] ?? '{}') as { url: string };
const running = new Map<string, Stream>();

class Stream {
  readonly #input: StreamInput;
  readonly #sent: SentTimes = {};
  readonly #done: Promise<void>;
  #ended = false;

  constructor(input: StreamInput) {
    this.#input = input;
    for (const device of input.devices) this.#sent[device] = [];
    this.#done = this.#run();
    this.#done.catch(() => undefined); // `stop` throws the error
  }

  async stop(): Promise<SentTimes> {
    this.#ended = true;
    await this.#done;
    return this.#sent;
  }

  async #run(): Promise<void> {
    const { devices, rate, text } = this.#input;
    const client = await connectAsync(url);
    const note = 'n'.repeat(text);
    const start = performance.now();
    const taken: Promise<unknown>[] = [];
    while (!this.#ended) {
      const due = Math.floor(((performance.now() - start) * rate) / 1000);
      while (taken.length < due) {
        const number = taken.length;
        const device = devices[number % devices.length] ?? '';
        const payload = JSON.stringify({
          ts: this.#timeOf(device),
          number,
          ...(text > 0 && { note }),
        });
        taken.push(client.publishAsync(`engawa/${device}/readings`, payload, { qos: 1 }));
      }
      await sleep(tickMs);
    }
    await Promise.all(taken);
    await client.endAsync();
  }

  /** Now, but no time twice: a reading is known by its device and time. */
  #timeOf(device: string): number {
    const times = (this.#sent[device] ??= []);
    const time = Math.max((times.at(-1) ?? 0) + 1, Date.now());
    times.push(time);
    return time;
  }
}

const methods: StreamsMethods = {
  start: (input) => {
    running.set(input.name, new Stream(input));
    return Promise.resolve();
  },
  stop: async ({ name }) => {
    const stream = running.get(name);
    running.delete(name);
    return (await stream?.stop()) ?? {};
  },
};
serve(methods);
