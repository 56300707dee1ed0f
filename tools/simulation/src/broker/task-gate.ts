import type { World } from '../kernel/world.ts';

/** Runs all work of the broker's process, or defers it while the process is stopped (SIGSTOP). */
export class TaskGate {
  readonly #world: World;
  #isPaused = false;
  /** Tasks that arrived during a pause, in order. */
  #waiting: (() => void)[] = [];
  /** Number of the current process: timers of earlier processes do nothing. */
  #process = 0;

  constructor(world: World) {
    this.#world = world;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  perform(task: () => void): void {
    if (this.#isPaused) this.#waiting.push(task);
    else task();
  }

  after(delayMs: number, label: string, task: () => void): void {
    const process = this.#process;
    this.#world.schedule(delayMs, label, () => {
      if (process === this.#process) this.perform(task);
    });
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    while (!this.isPaused && this.#waiting.length > 0) this.#waiting.shift()?.();
  }

  /** Discards all pending tasks, and starts a new process. */
  restart(): void {
    this.#process += 1;
    this.#isPaused = false;
    this.#waiting = [];
  }
}
