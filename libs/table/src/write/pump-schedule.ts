/** Runs a pump soon, and at the time that each run names. */
export class PumpSchedule {
  readonly #run: (now: number) => number;
  #next: NodeJS.Immediate | undefined;
  #wakeUp: NodeJS.Timeout | undefined;
  #isStopped = false;

  /**
   * @param run receives the time in monotonic milliseconds, and returns the time of the next run: Infinity if only
   * `soon` starts it
   */
  constructor(run: (now: number) => number) {
    this.#run = run;
  }

  /** Once per turn of the event loop, so that items of one turn share batches. */
  soon(): void {
    if (this.#isStopped) return;
    this.#next ??= setImmediate(() => {
      this.#next = undefined;
      this.#start();
    });
  }

  stop(): void {
    this.#isStopped = true;
    clearImmediate(this.#next);
    clearTimeout(this.#wakeUp);
  }

  #start(): void {
    const now = performance.now();
    const wakeAt = this.#run(now);
    clearTimeout(this.#wakeUp);
    this.#wakeUp = undefined;
    if (wakeAt === Infinity || this.#isStopped) return;
    this.#wakeUp = setTimeout(() => this.#start(), Math.max(0, Math.ceil(wakeAt - now)));
  }
}
