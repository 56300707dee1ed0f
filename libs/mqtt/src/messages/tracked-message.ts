import { createHash } from 'node:crypto';

/** A SHA-256 of topic and payload. */
export function fingerprintOf(topic: string, payload: Uint8Array): string {
  return createHash('sha256').update(`${topic.length} ${topic}`).update(payload).digest('base64');
}

/** A message and all of its redeliveries: once the message is durable, every delivery is acknowledged. */
export class TrackedMessage {
  readonly fingerprint: string;
  #isDurable = false;
  #acknowledgements: (() => void)[] = [];

  constructor(fingerprint: string) {
    this.fingerprint = fingerprint;
  }

  get isDurable(): boolean {
    return this.#isDurable;
  }

  /** Calls back when the message is durable; immediately where it already is. */
  whenDurable(acknowledge: () => void): void {
    if (this.#isDurable) acknowledge();
    else this.#acknowledgements.push(acknowledge);
  }

  markDurable(): void {
    this.#isDurable = true;
    for (const acknowledge of this.#acknowledgements.splice(0)) acknowledge();
  }
}
