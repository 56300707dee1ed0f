import type { MessageOutcome } from './readings-ledger.ts';

/** A dead letter as ingestion lists it. */
export interface ListedDeadLetter {
  id: string;
  topic: string;
  /** Length of the payload. */
  bytes: number;
}

/** Milliseconds by which the clock of a replica may differ from the world's. */
const clockMs = 60_000;

interface Poison {
  topic: string;
  payload: string;
  publishedAt: number;
  outcome: () => MessageOutcome;
}

/** A message that becomes a dead letter if it is delivered after its readings expire. */
interface Expiring extends Poison {
  /** Epoch milliseconds. */
  expiresAt: () => number;
}

/** The messages that must become dead letters, or may: one per delivery, also for equal messages. */
export class DeadLettersLedger {
  readonly #poison: Poison[] = [];
  readonly #expiring: Expiring[] = [];

  /** Time at which the first poison was published (epoch milliseconds); undefined without poison. */
  get since(): number | undefined {
    return this.#poison[0]?.publishedAt;
  }

  note(message: Poison): void {
    this.#poison.push(message);
  }

  noteExpiring(message: Expiring): void {
    this.#expiring.push(message);
  }

  /** @returns a sentence for each difference between listed dead letters and messages published from `since` on */
  violationsOf(shown: readonly ListedDeadLetter[], since: number): string[] {
    const counted = new Map<string, number>();
    for (const { topic, bytes } of shown) {
      const key = keyOf(topic, bytes);
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    const wanted = new Map<string, { most: number; least: number; payload: string }>();
    for (const { topic, payload, publishedAt, outcome } of this.#poison) {
      const { isLost, attempts, deliveredAt = publishedAt } = outcome();
      // A message belongs to the day of its delivery, even if it was published before.
      if (deliveredAt < since - clockMs) continue;
      const key = keyOf(topic, Buffer.byteLength(payload));
      const { most, least } = wanted.get(key) ?? { most: 0, least: 0 };
      const isOwed = !isLost && publishedAt >= since;
      // A redelivery to another process, or without DUP, makes another dead letter (docs/adr/0034).
      const possible = { most: most + Math.max(1, attempts), least: least + (isOwed ? 1 : 0) };
      wanted.set(key, { ...possible, payload });
    }
    for (const { topic, payload, publishedAt, outcome, expiresAt } of this.#expiring) {
      const { attempts, deliveredAt = publishedAt } = outcome();
      if (deliveredAt < expiresAt() - clockMs) continue;
      const key = keyOf(topic, Buffer.byteLength(payload));
      const { most, least } = wanted.get(key) ?? { most: 0, least: 0 };
      wanted.set(key, { most: most + Math.max(1, attempts), least, payload });
    }
    const keys = new Set([...counted.keys(), ...wanted.keys()]);
    return [...keys].flatMap((key) => {
      const count = counted.get(key) ?? 0;
      const { most = 0, least = 0, payload = '' } = wanted.get(key) ?? {};
      if (count >= least && count <= most) return [];
      const said = most === least ? `${most}` : `${least} to ${most}`;
      return [`${count} dead letters instead of ${said}: ${key} ${payload}`];
    });
  }
}

const keyOf = (topic: string, bytes: number) => `${topic} of ${bytes} bytes`;
