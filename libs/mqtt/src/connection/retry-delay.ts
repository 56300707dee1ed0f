/** Delay between attempts to connect or subscribe: the first and the maximum. */
const firstDelayMs = 250;
const maxDelayMs = 10_000;
/** The same after a takeover of the session, so that two clients do not keep taking it from each other. */
const firstTakeoverDelayMs = 5000;
const maxTakeoverDelayMs = 60_000;

/** Exponential backoff in milliseconds, with jitter: between half of the delay and all of it. */
export function retryDelay(attempts: number): number {
  return jittered(attempts, firstDelayMs, maxDelayMs);
}

/** @param takeovers how often the session was taken over, at least 1 */
export function takeoverDelay(takeovers: number): number {
  return jittered(takeovers - 1, firstTakeoverDelayMs, maxTakeoverDelayMs);
}

function jittered(attempts: number, firstMs: number, maxMs: number): number {
  const maxDelay = Math.min(maxMs, firstMs * 2 ** Math.min(attempts, 20));
  return Math.round(maxDelay * (0.5 + Math.random() / 2));
}
