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
    const share = new MemoryShare(this, reserved);
    this.#shares.push(share);
    return share;
  }

  /** Bytes that the share may hold now. */
  limitOf(share: MemoryShare): number {
    let limit = this.bytes;
    for (const other of this.#shares) {
      if (other !== share) limit -= Math.max(other.held, other.reserved);
    }
    return limit;
  }

  /** Called when a share holds more or less. */
  changed(): void {
    for (const share of this.#shares) share.update();
  }
}

interface Waiter {
  bytes: number;
  grant: () => void;
}

/** One use of the budget. */
export class MemoryShare implements Admission {
  readonly #budget: MemoryBudget;
  readonly reserved: number;
  readonly #listeners = new Set<() => void>();
  readonly #waiting: Waiter[] = [];
  #held = 0;
  #isFull = false;

  constructor(budget: MemoryBudget, reserved: number) {
    this.#budget = budget;
    this.reserved = reserved;
  }

  get held(): number {
    return this.#held;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  get used(): number {
    return this.#held / this.#budget.limitOf(this);
  }

  onFullChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Claims memory at once, even beyond the limit: a received message already occupies it. */
  hold(bytes: number): MemoryClaim {
    const claim = new ShareClaim(this);
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
    const limit = this.#budget.limitOf(this);
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

  /** Called by a claim. @param bytes by which it has grown */
  grown(bytes: number): void {
    this.#held += bytes;
    this.#budget.changed();
  }

  #hasRoomFor(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#budget.limitOf(this);
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
          const claim = new ShareClaim(this);
          resolve(claim);
          claim.resize(bytes); // this also serves the next waiters
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }
}

class ShareClaim implements MemoryClaim {
  readonly #share: MemoryShare;
  #bytes = 0;

  constructor(share: MemoryShare) {
    this.#share = share;
  }

  resize(bytes: number): void {
    const before = this.#bytes;
    this.#bytes = bytes;
    this.#share.grown(bytes - before);
  }

  release(): void {
    this.resize(0);
  }
}
