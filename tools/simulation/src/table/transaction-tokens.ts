import { Refusal } from '@engawa/dynamodb-simulator/rules';
/** Lifetime of a transaction's token in milliseconds (API reference, TransactWriteItems: ClientRequestToken). */
const keptMs = 10 * 60_000;

interface KnownToken {
  /** A digest of the request's actions. */
  request: string;
  at: number;
}

/** Tokens of the transactions of the last ten minutes. */
export class TransactionTokens {
  /** Tokens in the order of time. */
  readonly #known = new Map<string, KnownToken>();

  /** @throws Refusal if the token belongs to another request */
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
