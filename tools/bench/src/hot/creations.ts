import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** Requests under way at once, beyond which the rate waits. */
const mostUnderWay = 64;
/** Milliseconds until what was refused is sent again, and between two looks at what is due. */
const pause = 250;
const tick = 10;

/**
 * Registers new devices at a rate, and sends again what is refused until it is there. One a request: a throttled request
 * with many is sent again as a whole, and those of it that are there already take units again.
 */
export class Creations {
  readonly #rate: number;
  readonly #pool: Pool;
  readonly #running = new Set<Promise<void>>();
  readonly #done: Promise<void>;
  #ended = false;
  #failure: Error | undefined;
  /** Devices that somebody wanted to register. */
  count = 0;

  constructor({ url, rate }: { url: string; rate: number }) {
    this.#pool = new Pool(url, { connections: mostUnderWay });
    this.#rate = rate;
    this.#done = this.#run();
  }

  /** Resolves when all of them are registered. @returns how many */
  async stop(): Promise<number> {
    this.#ended = true;
    await this.#done;
    await Promise.all(this.#running);
    await this.#pool.close();
    if (this.#failure !== undefined) throw this.#failure;
    return this.count;
  }

  async #run(): Promise<void> {
    let [at, due] = [performance.now(), 0];
    while (!this.#ended && this.#failure === undefined) {
      const now = performance.now();
      // What there was no room for is not wanted later on as well.
      due = Math.min(due + ((now - at) * this.#rate) / 1000, mostUnderWay);
      at = now;
      for (; due >= 1 && this.#running.size < mostUnderWay; due -= 1) this.#begin();
      await sleep(tick);
    }
  }

  #begin(): void {
    const id = `listed-${String((this.count += 1)).padStart(6, '0')}`;
    const creation = this.#create(JSON.stringify({ id, name: id }))
      .catch((error: unknown) => {
        this.#failure ??= error as Error;
      })
      .finally(() => this.#running.delete(creation));
    this.#running.add(creation);
  }

  async #create(body: string): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', path: '/v1/devices', headers, body } as const;
    for (;;) {
      const answer = await this.#pool.request(request);
      const text = await answer.body.text();
      if (answer.statusCode === 200) return;
      // 503 is what a service answers while its table throttles.
      if (answer.statusCode !== 503) throw new Error(`a device is not registered: ${text}`);
      await sleep(pause);
    }
  }
}
