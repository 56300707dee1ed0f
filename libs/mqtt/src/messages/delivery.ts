import { createHash } from 'node:crypto';

/** Equal for equal topics and bytes, and for nothing else that anybody can find. */
export function fingerprintOf(topic: string, payload: Uint8Array): string {
  return createHash('sha256').update(`${topic.length} ${topic}`).update(payload).digest('base64');
}

/** One message, however often the broker delivers it: it is durable once, and then every delivery is acknowledged. */
export class Delivery {
  readonly fingerprint: string;
  #isDurable = false;
  #acknowledgements: (() => void)[] = [];

  constructor(fingerprint: string) {
    this.fingerprint = fingerprint;
  }

  get isDurable(): boolean {
    return this.#isDurable;
  }

  /** Calls back when the message is durable: at once, where it is. */
  whenDurable(acknowledge: () => void): void {
    if (this.#isDurable) acknowledge();
    else this.#acknowledgements.push(acknowledge);
  }

  markDurable(): void {
    this.#isDurable = true;
    for (const acknowledge of this.#acknowledgements.splice(0)) acknowledge();
  }
}
