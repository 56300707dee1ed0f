import type { MessageOutcome } from './expected-readings.ts';

/** A dead letter as ingestion lists it. */
export interface ListedDeadLetter {
  id: string;
  topic: string;
  /** Length of the payload. */
  bytes: number;
  leftOut?: readonly { field: string }[];
}

/** Milliseconds by which the clock of a replica may differ from the world's. */
const clockMs = 60_000;

interface Poison {
  topic: string;
  payload: string;
  publishedAt: number;
  outcome: () => MessageOutcome;
  /** Names of the values that are left out of its stored readings. */
  leftOut?: readonly string[] | undefined;
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
      const { isLost, copies, deliveredAt = publishedAt } = outcome();
      // A message belongs to the day of its delivery, even if it was published before.
      if (deliveredAt < since - clockMs) continue;
      const key = keyOf(topic, Buffer.byteLength(payload));
      const { most, least } = wanted.get(key) ?? { most: 0, least: 0 };
      const isOwed = !isLost && publishedAt >= since;
      // A redelivery to another process, or without DUP, makes another dead letter (docs/adr/0034).
      const possible = { most: most + Math.max(1, copies), least: least + (isOwed ? 1 : 0) };
      wanted.set(key, { ...possible, payload });
    }
    for (const { topic, payload, publishedAt, outcome, expiresAt } of this.#expiring) {
      const { copies, deliveredAt = publishedAt } = outcome();
      if (deliveredAt < expiresAt() - clockMs) continue;
      const key = keyOf(topic, Buffer.byteLength(payload));
      const { most, least } = wanted.get(key) ?? { most: 0, least: 0 };
      wanted.set(key, { most: most + Math.max(1, copies), least, payload });
    }
    const wrong = this.#wrongNames(shown);
    const keys = new Set([...counted.keys(), ...wanted.keys()]);
    const counts = [...keys].flatMap((key) => {
      const count = counted.get(key) ?? 0;
      const { most = 0, least = 0, payload = '' } = wanted.get(key) ?? {};
      if (count >= least && count <= most) return [];
      const said = most === least ? `${most}` : `${least} to ${most}`;
      return [`${count} dead letters instead of ${said}: ${key} ${payload}`];
    });
    return [...wrong, ...counts];
  }

  /** Compares the names of left-out values. */
  #wrongNames(shown: readonly ListedDeadLetter[]): string[] {
    const known = new Map(
      this.#poison.map(({ topic, payload, leftOut = [] }) => [
        keyOf(topic, Buffer.byteLength(payload)),
        leftOut.join(),
      ]),
    );
    return shown.flatMap(({ topic, bytes, leftOut = [] }) => {
      const key = keyOf(topic, bytes);
      const names = leftOut.map(({ field }) => field).join();
      if (names === (known.get(key) ?? names)) return [];
      return [`a dead letter names the values (${names}) instead of (${known.get(key)}): ${key}`];
    });
  }
}

const keyOf = (topic: string, bytes: number) => `${topic} of ${bytes} bytes`;
