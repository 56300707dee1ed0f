/** Milliseconds before its expiry at which a token is renewed. */
const renewBeforeMs = 60_000;

/** Bounds of the delay, in milliseconds: the issuer decides the rest. A browser fires longer timers at once. */
const minDelayMs = 5000;
const maxDelayMs = 2_147_483_647;

/**
 * @param expiresInMs lifetime of the token, as the issuer says
 * @returns milliseconds until the token is renewed; undefined where only a rejected request renews it
 */
export function renewalDelay(expiresInMs: number): number | undefined {
  if (!(expiresInMs > 0)) return undefined;
  const delay = Math.max(expiresInMs - renewBeforeMs, expiresInMs / 2);
  return Math.min(Math.max(delay, minDelayMs), maxDelayMs);
}
