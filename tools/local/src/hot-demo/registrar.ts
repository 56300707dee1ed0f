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
  readonly #closing = new AbortController();
  #underWay = 0;
  #ended = false;
  /** Devices that were to be registered. */
  wanted = 0;

  constructor({ url, rate }: { url: string; rate: number }) {
    this.#url = `${url}/v1/devices`;
    this.#rate = rate;
    void this.#run();
  }

  stop(): void {
    this.#ended = true;
  }

  /** At once: what is not registered by now is given up. */
  close(): void {
    this.#ended = true;
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    let [at, due] = [performance.now(), 0];
    while (!this.#ended) {
      const now = performance.now();
      // What there was no room for is not wanted later on as well.
      due = Math.min(due + ((now - at) * this.#rate) / 1000, mostUnderWay);
      at = now;
      for (; due >= 1 && this.#underWay < mostUnderWay; due -= 1) void this.#register();
      await sleep(tick);
    }
  }

  async #register(): Promise<void> {
    const id = `lamp-${String((this.wanted += 1)).padStart(5, '0')}`;
    this.#underWay += 1;
    while (!this.#closing.signal.aborted && !(await this.#isTaken({ id, name: id }))) {
      await sleep(pause);
    }
    this.#underWay -= 1;
  }

  /** 503 is what a service answers while its table throttles. */
  async #isTaken(device: object): Promise<boolean> {
    try {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(device),
        signal: this.#closing.signal,
      });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }
}
