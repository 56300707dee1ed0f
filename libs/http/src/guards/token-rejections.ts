import { Counter } from 'prom-client';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

/** `claim`: any other claim. `invalid`: no token of the issuer, such as one with another signature. */
export const rejectionReasons = [
  'expired',
  'audience',
  'issuer',
  'claim',
  'type',
  'algorithm',
  'invalid',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** Milliseconds between two log lines about the audience: every request of a client would cause one. */
const logIntervalMs = 60_000;

/** Counts rejected tokens. A wrong AUTH_AUDIENCE rejects all of them, and no server error shows it. */
export class TokenRejections {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #rejected: Counter<'reason'>;
  #loggedAt = -Infinity;

  constructor({ log, registry }: { log: Pick<Logger, 'warn'>; registry: Registry }) {
    this.#log = log;
    this.#rejected = new Counter({
      name: 'engawa_http_rejected_tokens_total',
      help: 'Rejected tokens, by reason. `audience` for tokens of the issuer with another audience than AUTH_AUDIENCE.',
      labelNames: ['reason'],
      registers: [registry],
    });
    for (const reason of rejectionReasons) this.#rejected.inc({ reason }, 0);
  }

  /** @param audience the expected audience */
  count(reason: RejectionReason, audience: string): void {
    this.#rejected.inc({ reason });
    const now = performance.now();
    if (reason !== 'audience' || now - this.#loggedAt < logIntervalMs) return;
    this.#loggedAt = now;
    const message =
      'rejected a token of the issuer for another audience: AUTH_AUDIENCE or the client may be configured wrongly';
    this.#log.warn({ audience }, message);
  }
}
