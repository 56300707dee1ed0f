/** Milliseconds between attempts to connect or subscribe: at first, and at most. */
const firstDelayMs = 250;
const maxDelayMs = 10_000;
/** The same after another client took the session over: two clients must not take it from each other all the time. */
const firstTakeoverDelayMs = 5000;
const maxTakeoverDelayMs = 60_000;

/** Milliseconds: exponential, and anywhere between half of that and all of it. */
export function retryDelay(attempts: number): number {
  return jittered(attempts, firstDelayMs, maxDelayMs);
}

/** @param takeovers how often the session was taken over, at least 1 */
export function takeoverDelay(takeovers: number): number {
  return jittered(takeovers - 1, firstTakeoverDelayMs, maxTakeoverDelayMs);
}

function jittered(attempts: number, firstMs: number, maxMs: number): number {
  const longest = Math.min(maxMs, firstMs * 2 ** Math.min(attempts, 20));
  return Math.round(longest * (0.5 + Math.random() / 2));
}
