import { TokenBucket } from './token-bucket.ts';

/**
 * Serves twice the former peak of an on-demand table or index. What it serves in a period becomes the peak of the next
 * one, so load that grows faster is throttled. Time is injected.
 *
 * DynamoDB's period is 30 minutes, and a new table serves 4,000 write and 12,000 read units a second (developer guide,
 * "DynamoDB on-demand capacity mode", initial throughput and scaling properties).
 */
export class PeakBucket {
  readonly #periodSeconds: number;
  #peak: number;
  #bucket: TokenBucket;
  #since: number;
  #used = 0;

  /** @param peak units a second before `now` (milliseconds) */
  constructor(peak: number, periodSeconds: number, now: number) {
    this.#peak = peak;
    this.#periodSeconds = periodSeconds;
    this.#bucket = new TokenBucket(2 * peak, 1, now);
    this.#since = now;
  }

  has(units: number, now: number): boolean {
    this.#advance(now);
    return this.#bucket.has(units, now);
  }

  take(units: number, now: number): void {
    this.#advance(now);
    this.#used += units;
    this.#bucket.take(units, now);
  }

  /** Never: it knows the peak. */
  isFull(): boolean {
    return false;
  }

  #advance(now: number): void {
    const seconds = (now - this.#since) / 1000;
    if (seconds < this.#periodSeconds) return;
    const served = this.#used / seconds;
    this.#since = now;
    this.#used = 0;
    if (served <= this.#peak) return;
    this.#peak = served;
    this.#bucket = new TokenBucket(2 * served, 1, now);
  }
}
