import { randomUUID } from 'node:crypto';
import { bucketStart, closedBuckets, invalidRollupItem } from '@engawa/model';
import type { Bucket } from '@engawa/model';
import type { BatchWriter } from '@engawa/table';

interface Running {
  current: Promise<void>;
  /** What begins when that has ended, for all that came meanwhile. */
  next: Promise<void> | undefined;
}

/** Takes the values out of rollups that a late reading makes wrong. */
export class RollupInvalidation {
  readonly #writer: BatchWriter;
  readonly #running = new Map<string, Running>();

  constructor(writer: BatchWriter) {
    this.#writer = writer;
  }

  /**
   * Resolves when no rollup that was made before now counts for these times any more. The readings must be durable already.
   * @param times epoch milliseconds
   * @param retention seconds that the device's readings are kept; an hour that has begun to lose them stays as it is. A day can be
   * made of its hours.
   */
  async invalidate(device: string, times: readonly number[], retention = Infinity): Promise<void> {
    const now = Date.now();
    const kept = times.filter((time) => bucketStart(time, 'PT1H') + retention * 1000 > now);
    const buckets = closedBuckets(kept, now);
    const widths = Map.groupBy(buckets, ({ width }) => width);
    // Hours before days: whoever finds a day's new version must find none of its hours as it was.
    for (const width of ['PT1H', 'P1D'] as const) {
      const group = widths.get(width) ?? [];
      await Promise.all(group.map((bucket) => this.#invalidateOnce(device, bucket)));
    }
  }

  /** Those who come while one is being written cannot know whether it saw theirs, and share the next. */
  #invalidateOnce(device: string, bucket: Bucket): Promise<void> {
    const name = JSON.stringify([device, bucket.width, bucket.start]);
    const running = this.#running.get(name);
    if (running === undefined) {
      const current = this.#write(name, device, bucket);
      this.#running.set(name, { current, next: undefined });
      return current;
    }
    running.next ??= running.current
      .catch(() => undefined)
      .then(() => this.#invalidateOnce(device, bucket));
    return running.next;
  }

  async #write(name: string, device: string, bucket: Bucket): Promise<void> {
    try {
      await this.#writer.put(invalidRollupItem(device, bucket, randomUUID()));
    } finally {
      this.#running.delete(name);
    }
  }
}
