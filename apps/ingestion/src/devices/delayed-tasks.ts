/** Runs a task for each name after a delay; until then, further tasks of the same name are dropped. */
export class DelayedTasks {
  readonly #delayMs: number;
  readonly #signal: AbortSignal;
  readonly #names = new Set<string>();

  /** @param signal no task runs after it has aborted */
  constructor(delayMs: number, signal: AbortSignal) {
    this.#delayMs = delayMs;
    this.#signal = signal;
  }

  add(name: string, run: () => void): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    const start = (): void => {
      this.#names.delete(name);
      if (!this.#signal.aborted) run();
    };
    setTimeout(start, this.#delayMs).unref();
  }
}
