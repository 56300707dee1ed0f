import { setTimeout as sleep } from 'node:timers/promises';

/** Requests under way at once, beyond which the rate waits. */
const mostUnderWay = 40;
/** Milliseconds until what was refused is sent again, and between two looks at what is due. */
const pause = 250;
const tick = 20;

/** Registers new devices at a rate, and sends again what is refused until it is there. */
export class Registrar {
  readonly #url: string;
  readonly #rate: number;
  readonly #running = new Set<Promise<void>>();
  readonly #done: Promise<void>;
  #ended = false;
  #failure: Error | undefined;
  /** Devices that were to be registered. */
  wanted = 0;

  constructor({ url, rate }: { url: string; rate: number }) {
    this.#url = `${url}/v1/devices`;
    this.#rate = rate;
    this.#done = this.#run();
  }

  /** Resolves when all of them are there. @throws Error where the registry refused some for good */
  async stop(): Promise<void> {
    this.#ended = true;
    await this.#done;
    await Promise.all(this.#running);
    if (this.#failure !== undefined) throw this.#failure;
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
    const id = `lamp-${String((this.wanted += 1)).padStart(5, '0')}`;
    const request = this.#register({ id, name: id })
      .catch((error: unknown) => {
        this.#failure ??= error as Error;
      })
      .finally(() => this.#running.delete(request));
    this.#running.add(request);
  }

  async #register(device: object): Promise<void> {
    for (;;) {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(device),
      });
      const text = await answer.text();
      if (answer.ok) return;
      // 503 is what a service answers while its table throttles: send it again.
      if (answer.status !== 503) throw new Error(`the registry answered ${answer.status}: ${text}`);
      await sleep(pause);
    }
  }
}
