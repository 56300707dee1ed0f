interface Waiter {
  count: number;
  grant: () => void;
}

/** A weighted semaphore: limits the units in use at the same time. Waiters are served in the order of their calls. */
export class Semaphore {
  readonly #capacity: number;
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#free = capacity;
  }

  /**
   * Waits for `count` units, or for all units if `count` exceeds the capacity.
   * @returns a function that releases the units
   * @throws the signal's reason when it aborts first
   */
  async acquire(count: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const share = Math.min(count, this.#capacity);
    if (this.#waiting.length > 0 || this.#free < share) await this.#wait(share, signal);
    else this.#free -= share;
    return () => {
      this.#free += share;
      this.#grant();
    };
  }

  #wait(count: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#grant(); // the next waiters may need less
        reject(signal?.reason as Error);
      };
      const waiting: Waiter = {
        count,
        grant: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #grant(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || next.count > this.#free) return;
      this.#waiting.shift();
      this.#free -= next.count;
      next.grant();
    }
  }
}
