import { setTimeout as sleep } from 'node:timers/promises';
import { devicePartition } from '@engawa/keys';
import type { Replica } from './replicas.ts';

export interface SteadyLoadOptions {
  replica: Replica;
  device: string;
  /** The share of what a partition takes that is to be used through this replica. */
  share: number;
  /** Gives the number of the next reading. */
  nextNumber: () => number;
}

/** Milliseconds between two readings at least. */
const paceMs = 100;

/** Epoch milliseconds of reading number 0; each has a time of its own. */
const firstTime = Date.now();

/** With so much text a reading takes a write unit, alone or packed with others. */
const text = 'x'.repeat(900);

/** Sends readings of a device through one replica, as many as keep the device's key at a share of its limit. */
export class SteadyLoad {
  /** Numbers of readings that were acknowledged. */
  readonly taken: number[] = [];
  /** The highest share of its limit that this replica alone has used. */
  highest = 0;
  readonly #options: SteadyLoadOptions;
  #sent = 0;

  constructor(options: SteadyLoadOptions) {
    this.#options = options;
  }

  /** Sends until it is told to stop. @throws Error where a reading is not acknowledged */
  async run(isEnough: () => boolean): Promise<void> {
    const { replica, device, share } = this.#options;
    const posts: Promise<void>[] = [];
    while (!isEnough()) {
      const used = (await replica.heatOf(devicePartition(device)))?.utilization ?? 0;
      this.highest = Math.max(this.highest, used);
      // What was sent and is not stored yet will be used in a moment.
      const waiting = this.#sent - this.taken.length;
      if (used < share && waiting < 10) posts.push(this.#post());
      await sleep(paceMs);
    }
    await Promise.all(posts);
  }

  async #post(): Promise<void> {
    const { replica, device, nextNumber } = this.#options;
    const number = nextNumber();
    this.#sent += 1;
    const ts = new Date(firstTime + number).toISOString();
    const answer = await fetch(`${replica.api}/v1/readings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ device, ts, number, text }),
    });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status}: ${body}`);
    this.taken.push(number);
  }
}
