import type { Admission } from '@engawa/mqtt';

/** A share that was full opens again below this part of its limit, so that it does not turn with each message. */
const reopenAt = 0.75;

/** Memory that somebody takes. */
export interface MemoryClaim {
  /** Corrects it, once it is known better. @param bytes of heap, estimated */
  resize(bytes: number): void;
  release(): void;
}

/**
 * The memory, in estimated bytes of heap, that everything which is not durable yet may take together. Each share has a part
 * reserved, which the others leave alone; what is not reserved goes to the first claim. So uploads cannot starve MQTT, nor MQTT
 * uploads, and each alone has more than its part.
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
  /** Bytes that it may hold as things are. */
  limit: () => number;
  /** Somebody has to be told that it holds more, or less. */
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

  onTurn(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes memory at once, whether there is room or not: what has come is there already. */
  hold(bytes: number): MemoryClaim {
    const claim = this.#claim();
    claim.resize(bytes);
    return claim;
  }

  /**
   * Resolves once there is room for so many bytes (or nothing else is held, where that is more than there ever is), first
   * come, first served. Rejects with the signal's reason when that aborts first.
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
        this.update(); // those behind may want less
        reject(signal.reason as Error);
      };
      const waiting: Waiter = {
        bytes,
        grant: () => {
          signal.removeEventListener('abort', leave);
          const claim = this.#claim();
          resolve(claim);
          claim.resize(bytes); // which looks at those behind
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }
}
