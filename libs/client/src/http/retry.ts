/** When a request is retried. */
export interface RetryPolicy {
  /** Attempts after the first one. */
  maxRetries: number;
  /** Maximum wait before a retry; where a service asks for more, the call fails with its problem. */
  maxRetryDelayMs: number;
}

export const defaultRetries: RetryPolicy = { maxRetries: 3, maxRetryDelayMs: 30_000 };

/** Idempotent methods (RFC 9110, 9.2.2). */
const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * Whether a request may be retried although the first attempt may have taken effect. One with
 * `If-Match` or `If-None-Match` may not: after a success, the retry would fail with 412. A `POST`
 * may with an Idempotency-Key.
 */
export function isSafeToRepeat(method: string, headers: Readonly<Record<string, string>>): boolean {
  const isConditional = 'if-match' in headers || 'if-none-match' in headers;
  return (idempotent.has(method) && !isConditional) || 'idempotency-key' in headers;
}

/** Milliseconds until a retry according to a response of 429 or 503; undefined for other responses. */
export function retryDelayMs({ status, headers }: Response): number | undefined {
  if (status !== 503 && status !== 429) return undefined;
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

/** Resolves after the delay, or rejects with the reason of the signal. */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is the caller's
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
