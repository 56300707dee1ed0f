import { AsyncLocalStorage } from 'node:async_hooks';
import type { Scheduled, World } from './world.ts';

const current = new AsyncLocalStorage<VirtualProcess>();

export interface VirtualProcessOptions {
  name: string;
  world: World;
  /** Milliseconds by which its wall clock differs from the world's. */
  wallOffsetMs?: number;
  /** Relative speed of its wall clock minus 1: a drift of 1e-4 is 0.36 s per hour. */
  wallDrift?: number;
}

/**
 * One of the virtual processes in the real process. All events that are scheduled while it runs,
 * also through promises, belong to it, and run neither after its end nor during a pause.
 */
export class VirtualProcess {
  readonly name: string;
  /** Tells it from other processes of the same name, without keeping it in memory. */
  readonly identity: symbol;
  readonly #world: World;
  readonly #wallDrift: number;
  readonly #killed: (() => void)[] = [];
  #wallOffsetMs: number;
  #pausedUntil = 0;
  #isAlive = true;
  #scheduled = 0;

  constructor({ name, world, wallOffsetMs = 0, wallDrift = 0 }: VirtualProcessOptions) {
    this.name = name;
    this.identity = Symbol(name);
    this.#world = world;
    this.#wallOffsetMs = wallOffsetMs;
    this.#wallDrift = wallDrift;
  }

  /** The process whose code is running; undefined for the world's own code. */
  static get current(): VirtualProcess | undefined {
    return current.getStore();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Milliseconds by which its wall clock is ahead of the world's. */
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

  /** Pauses the process, as garbage collection or suspension does: events that become due run afterwards. */
  pause(forMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#world.now() + forMs);
  }

  /** Ends the process: its pending events never run; `onKill` closes its connections and ports. */
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

  /** Runs `work` at once, or after a pause; never after the end of the process. */
  deliver(label: string, work: () => void): void {
    if (this.#isAlive && this.#world.now() >= this.#pausedUntil) work();
    else this.schedule(0, label, work);
  }

  /** Runs `work` later in the caller's async context, like a timer of Node.js; see `deliver` for pauses and the end. */
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
