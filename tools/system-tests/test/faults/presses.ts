import { readAll } from '../oracle.ts';
import type { Publisher } from '../publisher.ts';

/** Presses of a scenario's button: equal messages without a time, of which each delivery is a reading. */
export class Presses {
  readonly button: string;
  readonly #queryUrl: string;
  readonly #openedAt = Date.now();
  #sent = 0;
  #maybeSentAgain = 0;
  #stored = 0;

  constructor(queryUrl: string, button: string) {
    this.#queryUrl = queryUrl;
    this.button = button;
  }

  /** Counts what a publisher has sent, once at its end. */
  sentBy({ pressed, pressedAgain }: Publisher): void {
    this.#sent += pressed;
    this.#maybeSentAgain += pressedAgain;
  }

  get stored(): number {
    return this.#stored;
  }

  /** Whether at least as many are stored as were sent; reads them again. */
  async areStored(): Promise<boolean> {
    if (this.#sent === 0) return true;
    const from = new Date(this.#openedAt).toISOString();
    const to = new Date(Date.now() + 60_000).toISOString();
    this.#stored = (await readAll(this.#queryUrl, this.button, from, to)).length;
    return this.#stored >= this.#sent;
  }

  /**
   * Expects as many readings as presses. Where a broker delivers a press again, another process cannot know it.
   * @param redelivered messages that the broker delivered again
   */
  verify(redelivered: number): void {
    if (this.#sent === 0) return;
    const most = this.#sent + this.#maybeSentAgain + redelivered;
    process.stdout.write(
      `${this.button}: pressed ${this.#sent}, stored ${this.#stored}, delivered again up to ${most - this.#sent}\n`,
    );
    expect(this.#stored).toBeGreaterThanOrEqual(this.#sent);
    expect(this.#stored).toBeLessThanOrEqual(most);
  }
}
