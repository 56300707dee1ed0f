import type { Commands } from './commands.ts';
import { linesOf, makeReadings, topic, untilExactly } from './readings.ts';
import type { Reading } from './readings.ts';
import { releaseName } from './release.ts';

/** Publishes readings, and checks that each is stored once. */
export class Publisher {
  readonly #commands: Commands;
  readonly #broker: string;
  readonly #start = new Date();
  readonly #published: Reading[] = [];

  /** @param broker the broker's Deployment, whose image has a client */
  constructor(commands: Commands, broker: string) {
    this.#commands = commands;
    this.#broker = broker;
  }

  get count(): number {
    return this.#published.length;
  }

  /** Publishes by the client in the broker's pod, which ends when the broker has acknowledged all messages (QoS 1). */
  async publish(count: number): Promise<void> {
    const readings = makeReadings(this.#published.length, count, this.#start);
    const client = ['mosquitto_pub', '-q', '1', '-t', topic, '-l'];
    const pod = `deployment/${this.#broker}`;
    await this.#commands.kubectl(['exec', '-i', pod, '--', ...client], linesOf(readings));
    this.#published.push(...readings);
  }

  /** Publishes while the work runs, at least once. */
  async during(work: () => Promise<unknown>): Promise<void> {
    const running = { isDone: false };
    const working = work().finally(() => (running.isDone = true));
    const publishing = async () => {
      do await this.publish(20);
      while (!running.isDone);
    };
    await Promise.all([working, publishing()]);
  }

  /**
   * Waits until query returns every reading once.
   * @throws Error that names the missing readings
   */
  async untilStored(): Promise<void> {
    const query = await this.#commands.forward(`${releaseName}-query`, 8080);
    try {
      await untilExactly(query.url, this.#published);
    } finally {
      await query.close();
    }
  }
}
