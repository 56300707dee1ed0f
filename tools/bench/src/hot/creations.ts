import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** Requests under way at once, beyond which the rate waits. */
const maxInFlight = 64;
/** Delay before a refused request is retried, and between two checks of due requests. */
const retryDelayMs = 250;
const tickMs = 10;

/**
 * Registers new devices at a rate, and retries refused requests until they succeed. One device per
 * request: a retry of a throttled request with several would write those again that succeeded.
 */
export class Creations {
  readonly #rate: number;
  readonly #pool: Pool;
  readonly #running = new Set<Promise<void>>();
  readonly #done: Promise<void>;
  #ended = false;
  #failure: Error | undefined;
  /** Devices whose registration was started. */
  count = 0;

  constructor({ url, rate }: { url: string; rate: number }) {
    this.#pool = new Pool(url, { connections: maxInFlight });
    this.#rate = rate;
    this.#done = this.#run();
  }

  /** Resolves when all devices are registered. @returns their number */
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
      // Requests beyond the limit are dropped, not sent later.
      due = Math.min(due + ((now - at) * this.#rate) / 1000, maxInFlight);
      at = now;
      for (; due >= 1 && this.#running.size < maxInFlight; due -= 1) this.#begin();
      await sleep(tickMs);
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
      // A service answers 503 while its table throttles.
      if (answer.statusCode !== 503) throw new Error(`a device could not be registered: ${text}`);
      await sleep(retryDelayMs);
    }
  }
}
