import { AsyncLocalStorage } from 'node:async_hooks';
import type { Scheduled, World } from './world.ts';

const current = new AsyncLocalStorage<VirtualProcess>();

export interface VirtualProcessOptions {
  name: string;
  world: World;
  /** Milliseconds by which its wall clock differs from the world's. */
  wallOffsetMs?: number;
  /** How much faster its wall clock runs than the world's: 1e-4 is 0.36 s an hour. */
  wallDrift?: number;
}

/**
 * One of the virtual processes in the real one. Everything that is scheduled while it runs belongs
 * to it, also through promises, and runs neither after its end nor during a pause.
 */
export class VirtualProcess {
  readonly name: string;
  readonly #world: World;
  readonly #wallDrift: number;
  readonly #killed: (() => void)[] = [];
  #wallOffsetMs: number;
  #pausedUntil = 0;
  #isAlive = true;
  #scheduled = 0;

  constructor({ name, world, wallOffsetMs = 0, wallDrift = 0 }: VirtualProcessOptions) {
    this.name = name;
    this.#world = world;
    this.#wallOffsetMs = wallOffsetMs;
    this.#wallDrift = wallDrift;
  }

  /** The process whose code runs now; undefined for the world's own. */
  static get current(): VirtualProcess | undefined {
    return current.getStore();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Milliseconds that its wall clock is ahead of the world's. */
  get wallAheadMs(): number {
    return this.#wallOffsetMs + this.#world.now() * this.#wallDrift;
  }

  /** Number of its pending events: timers, bytes and connection ends. */
  get scheduled(): number {
    return this.#scheduled;
  }

  /** Number of open connections and listening ports. */
  get open(): number {
    return this.#killed.length;
  }

  stepWallClock(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** Pauses it, as garbage collection or suspension does: events that are due meanwhile run afterwards. */
  pause(forMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#world.now() + forMs);
  }

  /** Ends it: no further event of it runs; `onKill` closes its connections and ports. */
  kill(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    for (const close of this.#killed.toReversed()) close();
  }

  /** @returns a function that removes the listener */
  onKill(close: () => void): () => void {
    this.#killed.push(close);
    return () => {
      const index = this.#killed.indexOf(close);
      if (index >= 0) this.#killed.splice(index, 1);
    };
  }

  run<Result>(work: () => Result): Result {
    return current.run(this, work);
  }

  /** Runs at once, or after a pause; never after the end. */
  deliver(label: string, work: () => void): void {
    if (this.#isAlive && this.#world.now() >= this.#pausedUntil) work();
    else this.schedule(0, label, work);
  }

  /** In the context of the code that calls this, as timers of Node.js do, unless the process has ended or pauses. */
  schedule(delayMs: number, label: string, work: () => void): Scheduled {
    const bound = AsyncLocalStorage.bind(work);
    let isOver = false;
    this.#scheduled += 1;
    const end = () => {
      if (!isOver) this.#scheduled -= 1;
      isOver = true;
    };
    const attempt = () => {
      if (!this.#isAlive || isOver) return;
      const leftMs = this.#pausedUntil - this.#world.now();
      if (leftMs > 0) {
        scheduled = this.#world.schedule(leftMs, label, attempt);
        return;
      }
      end();
      bound();
    };
    let scheduled = this.#world.schedule(delayMs, label, attempt);
    return {
      cancel: () => {
        end();
        scheduled.cancel();
      },
    };
  }
}
