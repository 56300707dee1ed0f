import { Refusal } from './refusal.ts';

/** Milliseconds for which a transaction's token is known (API reference, TransactWriteItems: ClientRequestToken). */
const keptMs = 10 * 60_000;

interface Known {
  /** A digest of the request's actions. */
  request: string;
  at: number;
}

/** Tokens of the transactions that took place within the last ten minutes. */
export class TransactionTokens {
  /** In the order of time. */
  readonly #known = new Map<string, Known>();

  /** @throws Refusal where the token was that of another request */
  isRepeated(token: string, request: string, now: number): boolean {
    this.#forget(now);
    const known = this.#known.get(token);
    if (known === undefined) return false;
    if (known.request === request) return true;
    throw new Refusal(
      'IdempotentParameterMismatchException',
      'The request uses the same client token as a previous one, with other parameters',
    );
  }

  add(token: string, request: string, now: number): void {
    this.#known.set(token, { request, at: now });
  }

  #forget(now: number): void {
    for (const [token, { at }] of this.#known) {
      if (at > now - keptMs) return;
      this.#known.delete(token);
    }
  }
}
