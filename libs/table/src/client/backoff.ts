const baseMs = 50;
const maxMs = 5000;

/**
 * Milliseconds to wait before the next attempt: evenly distributed from 0 to a ceiling that doubles
 * with each failure, from 50 ms to 5 s, so that requests that failed together are not retried
 * together ("full jitter", AWS Builders' Library).
 * @param failures failures in a row, from 1 on
 */
export function backoff(failures: number, random: () => number = Math.random): number {
  return random() * Math.min(maxMs, baseMs * 2 ** (failures - 1));
}
