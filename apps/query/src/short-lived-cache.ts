import { LRUCache } from 'lru-cache';
import type { RequestBudget } from '@engawa/http';

export interface ShortLivedCacheOptions<Value> {
  /** Charged to the request that starts the load, not to others that wait for the same value. */
  load: (key: string, budget: Pick<RequestBudget, 'charge'>) => Promise<Value>;
  /** Maximum age of a value, counted from the beginning of its load. */
  lifetimeMs: number;
  maxEntries: number;
  /** Monotonic milliseconds. */
  now: () => number;
}

/** Caches values for a short time. Concurrent requests for one key share one load; a failed load is not cached. */
export class ShortLivedCache<Value> {
  readonly #load: ShortLivedCacheOptions<Value>['load'];
  readonly #values: LRUCache<string, Promise<Value>>;

  constructor({ load, lifetimeMs, maxEntries, now }: ShortLivedCacheOptions<Value>) {
    this.#load = load;
    this.#values = new LRUCache({
      max: maxEntries,
      ttl: lifetimeMs,
      ttlResolution: 0, // the clock is read for each entry, and no timer runs
      perf: { now: () => now() + 1 }, // an entry that was set at 0 never expires
    });
  }

  get(key: string, budget: Pick<RequestBudget, 'charge'>): Promise<Value> {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = this.#load(key, budget);
    this.#values.set(key, value);
    value.catch(() => {
      if (this.#values.peek(key) === value) this.#values.delete(key);
    });
    return value;
  }

  /** The next request loads the value again. */
  forget(key: string): void {
    this.#values.delete(key);
  }
}
