/** Milliseconds. */
const base = 50;
const longest = 5000;

/**
 * Milliseconds to wait after so many failures in a row (1 and up): anything from 0 to a ceiling that doubles from
 * 50 ms to 5 s, so that those who failed together do not come back together ("full jitter").
 */
export function backoff(failures: number, random: () => number = Math.random): number {
  return random() * Math.min(longest, base * 2 ** (failures - 1));
}
