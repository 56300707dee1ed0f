/** Milliseconds of work after which the browser gets a turn: input and drawing wait no longer. */
const maxSliceMs = 8;

interface SlicesOptions {
  /** Monotonic milliseconds. */
  now?: () => number;
  /** Resolves in a later task. */
  yieldToBrowser?: () => Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Divides long work into short tasks: `await slices.rest()` now and then. */
export class Slices {
  readonly #now: () => number;
  readonly #yield: () => Promise<void>;
  readonly #signal: AbortSignal | undefined;
  #startedAt: number;

  constructor({
    now = () => performance.now(),
    yieldToBrowser = nextTask,
    signal,
  }: SlicesOptions = {}) {
    this.#now = now;
    this.#yield = yieldToBrowser;
    this.#signal = signal;
    this.#startedAt = now();
  }

  /** Ends the current task if it has taken long enough. @throws the reason of an abort */
  async rest(): Promise<void> {
    if (this.#now() - this.#startedAt >= maxSliceMs) {
      await this.#yield();
      this.#startedAt = this.#now();
    }
    this.#signal?.throwIfAborted();
  }
}

/** A message is a task of its own, and is not delayed as timers are (HTML, section 8.7: 4 ms when nested). */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
