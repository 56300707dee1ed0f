import { hash } from 'node:crypto';

/** Waits until a message is durable. */
export interface DurableListener {
  becameDurable(): void;
}

/** Payloads up to this length are compared as they are: shorter than most hashes with their object. */
const maxComparedBytes = 96;

/** A message and all of its redeliveries: once the message is durable, every delivery is acknowledged. */
export class RedeliverableMessage {
  readonly #topic: string;
  readonly #payloadBytes: number;
  /** The payload, or for a longer one its SHA-256. */
  readonly #content: string;
  #isDurable = false;
  #listeners: DurableListener[] = [];

  constructor(topic: string, payload: Buffer) {
    this.#topic = topic;
    this.#payloadBytes = payload.length;
    this.#content = contentOf(payload);
  }

  /** Whether a message has the same topic and payload. */
  equals(topic: string, payload: Buffer): boolean {
    return (
      this.#topic === topic &&
      this.#payloadBytes === payload.length &&
      this.#content === contentOf(payload)
    );
  }

  /** Informs the listener when the message is durable; immediately where it already is. */
  whenDurable(listener: DurableListener): void {
    if (this.#isDurable) listener.becameDurable();
    else this.#listeners.push(listener);
  }

  markDurable(): void {
    this.#isDurable = true;
    const listeners = this.#listeners;
    this.#listeners = none;
    for (const listener of listeners) listener.becameDurable();
  }
}

const none: DurableListener[] = [];

function contentOf(payload: Buffer): string {
  if (payload.length <= maxComparedBytes) return payload.toString('latin1');
  return hash('sha256', payload, 'base64');
}
