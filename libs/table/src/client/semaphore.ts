interface Waiter {
  admit(): void;
  reject(error: Error): void;
}

/** At most `permits` holders at a time; further callers wait, first in, first out. */
export class Semaphore {
  #free: number;
  readonly #waiters = new Set<Waiter>();
  /** An iterator that stays at the oldest waiter: a new iterator would skip all deleted entries each time. */
  #oldest = this.#waiters.values();
  #isClosed = false;

  constructor(permits: number) {
    this.#free = permits;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** Resolves when the caller holds a permit, which it returns with one `release`. Rejects with an AbortError. */
  async acquire(signal?: AbortSignal): Promise<void> {
    if (this.#isClosed || signal?.aborted === true) throw abortError();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve: admit, reject } = Promise.withResolvers<undefined>();
    const waiter = { admit: () => admit(undefined), reject };
    const leave = () => {
      this.#waiters.delete(waiter);
      reject(abortError());
    };
    this.#waiters.add(waiter);
    signal?.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  release(): void {
    const waiter = this.#takeOldest();
    if (waiter === undefined) this.#free += 1;
    else waiter.admit();
  }

  /** Rejects all waiting and all later calls of `acquire`. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiters) waiter.reject(abortError());
    this.#waiters.clear();
  }

  #takeOldest(): Waiter | undefined {
    let { value } = this.#oldest.next();
    if (value === undefined) {
      this.#oldest = this.#waiters.values();
      ({ value } = this.#oldest.next());
    }
    if (value !== undefined) this.#waiters.delete(value);
    return value;
  }
}

function abortError(): Error {
  return Object.assign(new Error('aborted while waiting'), { name: 'AbortError' });
}
