import { randomUUID } from 'node:crypto';
import { bucketStart, closedBuckets, invalidRollupItem, openBucketsFrom } from '@engawa/model';
import type { Bucket, Reading } from '@engawa/model';
import type { BatchWriter } from '@engawa/table';

interface PendingWrites {
  current: Promise<void>;
  /** The next write, shared by all calls during the current one. */
  next: Promise<void> | undefined;
}

/** Clears the values of rollups that a late reading makes stale. */
export class RollupInvalidation {
  readonly #writer: BatchWriter;
  readonly #running = new Map<string, PendingWrites>();

  constructor(writer: BatchWriter) {
    this.#writer = writer;
  }

  /**
   * Resolves when no rollup that was computed before now is valid for these readings, which must be durable
   * already.
   * @param retention seconds for which the device's readings are kept; the rollup of an hour whose readings expire
   * stays valid. Rollups of days may be computed from rollups of hours
   * @returns undefined where there is nothing to invalidate
   */
  invalidate(
    device: string,
    readings: readonly Reading[],
    retentionSeconds = Infinity,
  ): Promise<void> | undefined {
    const now = Date.now();
    // The usual case: each reading is so recent that its hour has no rollup.
    const openFrom = openBucketsFrom(now);
    if (readings.every(({ time }) => time >= openFrom)) return undefined;
    return this.#invalidate(device, readings, { now, retentionSeconds });
  }

  async #invalidate(
    device: string,
    readings: readonly Reading[],
    { now, retentionSeconds }: { now: number; retentionSeconds: number },
  ): Promise<void> {
    const times = readings.map(({ time }) => time);
    const kept = times.filter((time) => bucketStart(time, 'PT1H') + retentionSeconds * 1000 > now);
    const buckets = closedBuckets(kept, now);
    const widths = Map.groupBy(buckets, ({ width }) => width);
    // Hours before days: a reader that sees the new version of a day must not find one of its hours in the old
    // version.
    for (const width of ['PT1H', 'P1D'] as const) {
      const group = widths.get(width) ?? [];
      await Promise.all(group.map((bucket) => this.#invalidateOnce(device, bucket)));
    }
  }

  /** A call during a write does not know whether the write covers its readings: all such calls share the next write. */
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
