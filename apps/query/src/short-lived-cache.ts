import type { Budget } from '@engawa/http';

export interface ShortLivedCacheOptions<Value> {
  /** Charged to the request that starts it, not to others that wait for the same result. */
  load: (key: string, budget: Pick<Budget, 'charge'>) => Promise<Value>;
  /** Milliseconds for which a value is believed to be as it was. */
  lifetimeMs: number;
  /** Values kept at most. */
  capacity: number;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
}

interface Entry<Value> {
  value: Promise<Value>;
  loadedAt: number;
}

/** Keeps values for a short while. Those who ask for one at the same time share one load; a failed one is not kept. */
export class ShortLivedCache<Value> {
  readonly #options: ShortLivedCacheOptions<Value>;
  /** The oldest first. */
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(options: ShortLivedCacheOptions<Value>) {
    this.#options = options;
  }

  get(key: string, budget: Pick<Budget, 'charge'>): Promise<Value> {
    const { lifetimeMs, now } = this.#options;
    const known = this.#entries.get(key);
    if (known !== undefined && now() - known.loadedAt < lifetimeMs) return known.value;
    return this.#load(key, budget);
  }

  /** The next who asks for it has it loaded anew. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  #load(key: string, budget: Pick<Budget, 'charge'>): Promise<Value> {
    const { load, capacity, now } = this.#options;
    const entry = { value: load(key, budget), loadedAt: now() };
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    this.#entries.delete(key); // or it would keep its old place in the order
    this.#entries.set(key, entry);
    if (this.#entries.size > capacity) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    return entry.value;
  }
}
