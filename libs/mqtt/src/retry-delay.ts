/** Milliseconds between attempts to connect or subscribe: at first, and at most. */
const firstDelay = 250;
const longestDelay = 10_000;

/** Milliseconds: exponential, and anywhere between half of that and all of it. */
export function retryDelay(attempts: number): number {
  const longest = Math.min(longestDelay, firstDelay * 2 ** Math.min(attempts, 20));
  return Math.round(longest * (0.5 + Math.random() / 2));
}
