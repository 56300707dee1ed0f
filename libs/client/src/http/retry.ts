/** When a request is sent again. */
export interface RetryPolicy {
  /** Attempts beyond the first. */
  maxRetries: number;
  /** A service that asks for more patience is answered with its problem. */
  maxRetryDelayMs: number;
}

export const usualRetries: RetryPolicy = { maxRetries: 3, maxRetryDelayMs: 30_000 };

/** RFC 9110, 9.2.2: sent twice they have the effect of once. */
const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * Whether a request may be sent again although the first may have had its effect. One with `If-Match` or `If-None-Match` may not:
 * its own success would be told as 412. A `POST` may with an Idempotency-Key.
 */
export function isSafeToRepeat(method: string, headers: Readonly<Record<string, string>>): boolean {
  const isConditional = 'if-match' in headers || 'if-none-match' in headers;
  return (idempotent.has(method) && !isConditional) || 'idempotency-key' in headers;
}

/** Milliseconds that an answer asks to wait, or undefined where it is not one that passes by itself. */
export function retryDelayMs({ status, headers }: Response): number | undefined {
  if (status !== 503 && status !== 429) return undefined;
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

/** Resolves then, or rejects with the reason of the signal. */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is the caller's own
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
