interface Waiter {
  count: number;
  grant: () => void;
}

/** Limits how many things may be under way at once; further ones wait, first come first served. */
export class Semaphore {
  readonly #capacity: number;
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#free = capacity;
  }

  /** How many are under way. */
  get taken(): number {
    return this.#capacity - this.#free;
  }

  /**
   * Resolves, once there is room for `count` (or, if that is more than there ever is, for nothing beside it), to a function
   * that gives the room back. Rejects with the signal's reason when that aborts first.
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
        this.#grant(); // those behind may want less
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
