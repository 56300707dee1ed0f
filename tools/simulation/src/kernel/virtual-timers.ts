import { scheduleHere } from './current-world.ts';
import type { Scheduled } from './world.ts';

type Callback = (...values: unknown[]) => void;

/** The result of `setTimeout` and `setInterval`, with the methods of Node's `Timeout` that libraries use. */
class VirtualTimer {
  readonly #callback: () => void;
  readonly #delayMs: number;
  readonly #repeats: boolean;
  #scheduled: Scheduled | undefined;

  constructor(callback: () => void, delayMs: number, repeats: boolean) {
    this.#callback = callback;
    this.#delayMs = delayMs;
    this.#repeats = repeats;
    this.#start();
  }

  refresh(): this {
    this.close();
    this.#start();
    return this;
  }

  close(): this {
    this.#scheduled?.cancel();
    this.#scheduled = undefined;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #start(): void {
    this.#scheduled = scheduleHere(this.#delayMs, 'timer', () => {
      this.#scheduled = undefined;
      if (this.#repeats) this.#start();
      this.#callback();
    });
  }
}

function timer(repeats: boolean) {
  return (callback: Callback, delayMs?: number, ...values: unknown[]) => {
    // Node.js replaces a delay outside 1 to 2 ** 31 - 1 by 1.
    const given = Number(delayMs);
    const usable = given >= 1 && given <= 2 ** 31 - 1 ? Math.trunc(given) : 1;
    return new VirtualTimer(() => callback(...values), usable, repeats);
  };
}

function clear(timer: unknown): void {
  if (timer instanceof VirtualTimer) timer.close();
}

/** Replaces the functions of these names in the global object and `node:timers`. */
export const virtualTimers = {
  setTimeout: timer(false),
  setInterval: timer(true),
  setImmediate: (callback: Callback, ...values: unknown[]) =>
    new VirtualImmediate(() => callback(...values)),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: (immediate: unknown) => {
    if (immediate instanceof VirtualImmediate) immediate.close();
  },
};

class VirtualImmediate {
  readonly #scheduled: Scheduled;

  constructor(callback: () => void) {
    this.#scheduled = scheduleHere(0, 'immediate', callback);
  }

  close(): void {
    this.#scheduled.cancel();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

interface DelayOptions {
  signal?: AbortSignal;
}

/** Resolves when `start` calls back; rejects like Node's own functions if the signal is aborted before. */
function promised<Value>(
  start: (callback: () => void) => () => void,
  value: Value,
  { signal }: DelayOptions = {},
): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  const aborted = () => {
    const error = new Error('The operation was aborted', { cause: signal?.reason });
    return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' });
  };
  if (signal?.aborted === true) return Promise.reject(aborted());
  const stop = start(() => {
    signal?.removeEventListener('abort', abort);
    resolve(value);
  });
  const abort = () => {
    stop();
    reject(aborted());
  };
  signal?.addEventListener('abort', abort, { once: true });
  return promise;
}

/** Replaces the functions of these names in `node:timers/promises`. */
export const virtualTimerPromises = {
  setTimeout: (delayMs?: number, value?: unknown, options?: DelayOptions) =>
    promised(
      (callback) => {
        const started = virtualTimers.setTimeout(callback, delayMs);
        return () => started.close();
      },
      value,
      options,
    ),
  setImmediate: (value?: unknown, options?: DelayOptions) =>
    promised(
      (callback) => {
        const started = virtualTimers.setImmediate(callback);
        return () => started.close();
      },
      value,
      options,
    ),
};

/** Replaces `AbortSignal.timeout`. */
export function virtualTimeoutSignal(delayMs: number): AbortSignal {
  const controller = new AbortController();
  const message = 'The operation was aborted due to timeout';
  const abort = () => controller.abort(new DOMException(message, 'TimeoutError'));
  virtualTimers.setTimeout(abort, delayMs);
  return controller.signal;
}
