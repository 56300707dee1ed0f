import type { Admission } from '@engawa/mqtt';

/** Fraction of its limit below which a full share opens again: the hysteresis prevents a change with each message. */
const reopenAt = 0.75;

/** A reservation of memory. */
export interface MemoryClaim {
  /** Corrects the size when it is known better. @param bytes of heap, estimated */
  resize(bytes: number): void;
  release(): void;
}

/**
 * Limits the estimated heap of everything that is not durable yet. Each share has a reserved part, which other shares
 * cannot use; the rest goes to the first claim. So uploads cannot starve MQTT, nor MQTT uploads, and each alone can use
 * more than its part.
 */
export class MemoryBudget {
  readonly bytes: number;
  readonly #shares: MemoryShare[] = [];

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  /** @param reserved bytes */
  share(reserved: number): MemoryShare {
    const share: MemoryShare = new MemoryShare({
      reserved,
      limit: () =>
        this.#shares
          .filter((other) => other !== share)
          .reduce((limit, { held, reserved: part }) => limit - Math.max(held, part), this.bytes),
      changed: () => {
        for (const each of this.#shares) each.update();
      },
    });
    this.#shares.push(share);
    return share;
  }
}

interface ShareOptions {
  reserved: number;
  /** Bytes that the share may hold now. */
  limit: () => number;
  /** Called when the share holds more or less. */
  changed: () => void;
}

interface Waiter {
  bytes: number;
  grant: () => void;
}

/** One use of the budget. */
export class MemoryShare implements Admission {
  readonly #options: ShareOptions;
  readonly #listeners = new Set<() => void>();
  readonly #waiting: Waiter[] = [];
  #held = 0;
  #isFull = false;

  constructor(options: ShareOptions) {
    this.#options = options;
  }

  get held(): number {
    return this.#held;
  }

  get reserved(): number {
    return this.#options.reserved;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  get used(): number {
    return this.#held / this.#options.limit();
  }

  onFullChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Claims memory at once, even beyond the limit: a received message already occupies it. */
  hold(bytes: number): MemoryClaim {
    const claim = this.#claim();
    claim.resize(bytes);
    return claim;
  }

  /**
   * Resolves once there is room for `bytes`, in the order of the calls; a claim beyond the limit waits until nothing
   * else is held.
   * @throws the signal's reason when it aborts first
   */
  async acquire(bytes: number, signal: AbortSignal): Promise<MemoryClaim> {
    signal.throwIfAborted();
    if (this.#waiting.length > 0 || !this.#hasRoomFor(bytes)) return this.#wait(bytes, signal);
    return this.hold(bytes);
  }

  /** Called by the budget when any share has changed. */
  update(): void {
    const limit = this.#options.limit();
    const isFull = this.#held >= (this.#isFull ? limit * reopenAt : limit);
    if (isFull !== this.#isFull) {
      this.#isFull = isFull;
      for (const listener of [...this.#listeners]) listener();
    }
    const [next] = this.#waiting;
    if (next === undefined || !this.#hasRoomFor(next.bytes)) return;
    this.#waiting.shift();
    next.grant();
  }

  #claim(): MemoryClaim {
    let taken = 0;
    const resize = (bytes: number) => {
      this.#held += bytes - taken;
      taken = bytes;
      this.#options.changed();
    };
    return { resize, release: () => resize(0) };
  }

  #hasRoomFor(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#options.limit();
  }

  #wait(bytes: number, signal: AbortSignal): Promise<MemoryClaim> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.update(); // the next waiters may need less
        reject(signal.reason as Error);
      };
      const waiting: Waiter = {
        bytes,
        grant: () => {
          signal.removeEventListener('abort', leave);
          const claim = this.#claim();
          resolve(claim);
          claim.resize(bytes); // this also serves the next waiters
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }
}
