import { Metrics } from '@engawa/testing';
import { countBetween } from './curve.ts';
import type { DurableTap } from '../ingestion/durable-tap.ts';
import type { ServiceProcess } from '@engawa/embedded';
import type { Event, Second } from './curve.ts';

export interface WatchOptions {
  tap: DurableTap;
  process: ServiceProcess;
  /** Whether a partition key belongs to the hot family, with any shard. */
  isHot: (pk: string) => boolean;
  /** Whether a partition key belongs to a device whose latency is measured. */
  isOther?: (pk: string) => boolean;
  /** The hot family, as in `engawa_partition_shards`. */
  family: string;
  /** Whether hot items are updated in place, not written in blocks. */
  updates?: boolean;
}

/** A reading of another device. */
export interface OtherReading {
  /** Epoch milliseconds. */
  publishedAt: number;
  /** Milliseconds from publishing to durable. */
  latency: number;
  /** Milliseconds of that in which the request was under way that stored it. */
  requestMs: number;
}

interface Scrape {
  at: number;
  shards: number;
}

const second = 1000;

/** Records stored and throttled hot items, and latencies of other devices, by second. Times are epoch milliseconds. */
export class Watch {
  readonly stored: Event[] = [];
  readonly throttled: Event[] = [];
  /** With their time of publishing: delayed readings may be stored after the hot time. */
  readonly #others: OtherReading[] = [];
  readonly #scrapes: Scrape[] = [];
  readonly #options: WatchOptions;
  readonly #timer: NodeJS.Timeout;

  constructor(options: WatchOptions) {
    const { tap, isHot, isOther = () => false, updates = false } = options;
    this.#options = options;
    tap.onStored = (pk, latency, count, requestMs) => {
      const at = Date.now();
      if (isOther(pk)) this.#others.push({ publishedAt: at - latency, latency, requestMs });
      if (isHot(pk) && !updates) this.stored.push({ at, count });
    };
    tap.onUpdate = (pk, isThrottled) => {
      const events = isThrottled ? this.throttled : this.stored;
      if (updates && isHot(pk)) events.push({ at: Date.now(), count: 1 });
    };
    tap.onThrottled = (pk) => {
      if (isHot(pk)) this.throttled.push({ at: Date.now(), count: 1 });
    };
    this.#timer = setInterval(() => void this.#scrape(), second);
  }

  get firstThrottle(): number | undefined {
    return this.throttled[0]?.at;
  }

  /** The number of shards at the end. */
  get shards(): number {
    return Math.max(1, this.#scrapes.at(-1)?.shards ?? 1);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Readings that others published in this time; call it when all are durable. */
  others(from: number, to: number): OtherReading[] {
    return this.#others.filter(({ publishedAt }) => publishedAt >= from && publishedAt < to);
  }

  /** @param hotFrom start of the hot load of `rate` items a second, until `hotTo` */
  curve({ from, hotFrom, hotTo, to, rate }: CurveSpan): Second[] {
    const count = Math.ceil((to - from) / second);
    return Array.from({ length: count }, (_, index) => {
      const start = from + index * second;
      const end = start + second;
      return {
        second: Math.round((start - hotFrom) / second),
        offered: start >= hotFrom && start < hotTo ? rate : 0,
        stored: countBetween(this.stored, start, end),
        throttled: countBetween(this.throttled, start, end),
        shards: Math.max(1, this.#scrapes.findLast(({ at }) => at < end)?.shards ?? 1),
        others: this.others(start, end).map(({ latency }) => latency),
      };
    });
  }

  async #scrape(): Promise<void> {
    const { process, family } = this.#options;
    const at = Date.now();
    // A failed scrape is missing in the curve; the next one follows a second later.
    const metrics = await Metrics.of(process.metricsUrl).catch(() => undefined);
    const shards = metrics?.sum('engawa_partition_shards', { family });
    if (shards !== undefined) this.#scrapes.push({ at, shards });
  }
}

export interface CurveSpan {
  from: number;
  hotFrom: number;
  hotTo: number;
  to: number;
  rate: number;
}
