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
 * One of the processes that share the real one. Everything that is scheduled while it runs belongs
 * to it, also through promises, and happens neither after its end nor during a pause.
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

  /** How much of it is still to happen: timers, bytes and ends of connections that are under way to it. */
  get scheduled(): number {
    return this.#scheduled;
  }

  /** How much has to be closed at its end: connections and listening ports. */
  get open(): number {
    return this.#killed.length;
  }

  stepWallClock(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** As garbage collection, or a machine that is suspended: what is due meanwhile happens afterwards. */
  pause(forMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#world.now() + forMs);
  }

  /** Nothing of it happens any more; what it has open is closed by `onKill`. */
  kill(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    for (const close of this.#killed.toReversed()) close();
  }

  /** @returns what takes it back */
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

  /** At once where it neither pauses nor has ended. */
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
