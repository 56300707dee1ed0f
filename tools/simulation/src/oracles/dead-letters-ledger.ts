import type { Fate } from './readings-ledger.ts';

/** A dead letter as ingestion lists it. */
export interface ShownLetter {
  id: string;
  topic: string;
  /** Length of the payload. */
  bytes: number;
}

interface Poison {
  topic: string;
  payload: string;
  publishedAt: number;
  fate: () => Fate;
}

/** Every message that has to become a dead letter: each delivery is one, also of equal messages. */
export class DeadLettersLedger {
  readonly #poison: Poison[] = [];

  /** When the first of them was published (epoch milliseconds); undefined where there are none. */
  get since(): number | undefined {
    return this.#poison[0]?.publishedAt;
  }

  note(message: Poison): void {
    this.#poison.push(message);
  }

  /** What is wrong with all that are listed of what was published since then, in words. */
  faultsOf(shown: readonly ShownLetter[], since: number): string[] {
    const counted = new Map<string, number>();
    for (const { topic, bytes } of shown) {
      const key = keyOf(topic, bytes);
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    const wanted = new Map<string, { most: number; least: number; payload: string }>();
    for (const { topic, payload, fate } of this.#since(since)) {
      const key = keyOf(topic, Buffer.byteLength(payload));
      const { most, least } = wanted.get(key) ?? { most: 0, least: 0 };
      const { isLost, attempts } = fate();
      // Delivered again to another process, or by a broker that does not say so, it is another letter (docs/adr/0034).
      const possible = { most: most + Math.max(1, attempts), least: least + (isLost ? 0 : 1) };
      wanted.set(key, { ...possible, payload });
    }
    const keys = new Set([...counted.keys(), ...wanted.keys()]);
    return [...keys].flatMap((key) => {
      const count = counted.get(key) ?? 0;
      const { most = 0, least = 0, payload = '' } = wanted.get(key) ?? {};
      if (count >= least && count <= most) return [];
      const said = most === least ? `${most}` : `${least} to ${most}`;
      return [`${count} dead letters in place of ${said}: ${key} ${payload}`];
    });
  }

  #since(time: number): Poison[] {
    return this.#poison.filter(({ publishedAt }) => publishedAt >= time);
  }
}

const keyOf = (topic: string, bytes: number) => `${topic} of ${bytes} bytes`;
