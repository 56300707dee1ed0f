import { parseProblem } from './problem-error.ts';

/** When a request is retried. */
export interface RetryPolicy {
  /** Attempts after the first one. */
  maxRetries: number;
  /** Maximum wait before a retry; where a service asks for more, the call fails with its problem. */
  maxRetryDelayMs: number;
}

export const defaultRetries: RetryPolicy = { maxRetries: 3, maxRetryDelayMs: 30_000 };

/** Type of the problem of a service that lost each race with other clients for a resource. */
export const lostLock = 'too-many-conflicts';

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

/** A response whose body was read. */
export interface WholeResponse {
  response: Response;
  text: string;
}

/** The retry that a response asks for. */
export interface RequestedRetry {
  delayMs: number;
  /** Whether the rejected request has certainly changed nothing, so that any method may be repeated. */
  hadNoEffect: boolean;
}

/** Of a response of 429 or 503, or a 409 `too-many-conflicts`, with Retry-After; undefined for other responses. */
export function requestedRetry(
  { response: { status, headers }, text }: WholeResponse,
  method: string,
): RequestedRetry | undefined {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  if (!Number.isFinite(seconds) || seconds < 0) return undefined;
  const delayMs = seconds * 1000;
  if (status === 429) return { delayMs, hadNoEffect: true };
  if (status === 503) return { delayMs, hadNoEffect: false };
  if (status !== 409 || !isLostLock(text)) return undefined;
  // A bulk request (POST) may have written other entries.
  return { delayMs, hadNoEffect: method !== 'POST' };
}

/** Other problems of status 409 need another request. */
function isLostLock(text: string): boolean {
  return parseProblem(text)?.['type'] === `/problems/${lostLock}`;
}

/** Maximum of a timer in Node and browsers; a longer one would fire at once. */
export const maxTimerMs = 2_147_483_647;

/** Resolves after the delay, or rejects with the reason of the signal. */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is the caller's
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, maxTimerMs),
    );
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
