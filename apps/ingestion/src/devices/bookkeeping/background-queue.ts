import { isTransient } from '../is-transient.ts';
import type { Logger } from 'pino';
import type { BookkeepingKind, BookkeepingMetrics } from './bookkeeping-metrics.ts';

export interface BackgroundQueueOptions<Task> {
  /** Name in the log and in metrics. */
  what: BookkeepingKind;
  /** Maximum number of tasks that run at the same time. */
  concurrency: number;
  /** Makes one attempt. @returns the remaining task, which runs later */
  run: (task: Task) => Promise<Task | undefined>;
  /** Combines two tasks of the same key. */
  merge: (older: Task, newer: Task) => Task;
  metrics: BookkeepingMetrics;
  log: Logger;
}

interface QueuedTask<Task> {
  /** The task to run next; undefined while all of it runs. */
  task: Task | undefined;
  failures: number;
  /** Set during the delay before the next attempt. */
  timer: NodeJS.Timeout | undefined;
}

const minPauseMs = 100;
const maxPauseMs = 30_000;

/**
 * A queue for work that nothing waits for. It holds one task per key, so memory is bounded by the number of devices,
 * and limits the attempts at the same time. During its retry delay a task occupies no slot, so that a throttled key
 * does not delay others. A task that the table rejects permanently is logged, counted and dropped.
 */
export class BackgroundQueue<Task> {
  readonly #options: BackgroundQueueOptions<Task>;
  readonly #entries = new Map<string, QueuedTask<Task>>();
  readonly #ready = new Set<string>();
  #running = 0;
  #state: 'open' | 'flushing' | 'closed' = 'open';
  readonly #empty = new Set<() => void>();

  constructor(options: BackgroundQueueOptions<Task>) {
    this.#options = options;
  }

  /** Runs the task soon; merges it with a pending task of the same key. */
  add(key: string, task: Task): void {
    if (this.#state === 'closed') return;
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#entries.set(key, { task, failures: 0, timer: undefined });
      this.#ready.add(key);
      this.#pump();
      return;
    }
    entry.task = entry.task === undefined ? task : this.#options.merge(entry.task, task);
  }

  /** Runs the pending tasks with short delays until all are done or the signal aborts; then accepts no more. */
  async close(signal: AbortSignal): Promise<void> {
    this.#state = 'flushing';
    for (const [key, entry] of this.#entries) {
      if (entry.timer !== undefined) this.#resume(key, entry);
    }
    await this.#untilEmpty(signal);
    this.#state = 'closed';
    for (const { timer } of this.#entries.values()) clearTimeout(timer);
    const { what, log } = this.#options;
    const left = this.#entries.size;
    if (left > 0)
      log.warn({ what, left }, 'background updates are incomplete: the next start continues them');
    this.#entries.clear();
    this.#ready.clear();
  }

  #untilEmpty(signal: AbortSignal): Promise<void> {
    if (this.#entries.size === 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#empty.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #pump(): void {
    for (const key of this.#ready) {
      if (this.#running >= this.#options.concurrency) return;
      this.#ready.delete(key);
      const entry = this.#entries.get(key);
      if (entry?.task !== undefined) void this.#run(key, entry, entry.task);
    }
  }

  async #run(key: string, entry: QueuedTask<Task>, task: Task): Promise<void> {
    entry.task = undefined;
    this.#running += 1;
    const left = await this.#attempt(entry, task);
    this.#running -= 1;
    if (this.#state === 'closed') return;
    if (left !== undefined) this.#join(entry, left);
    this.#next(key, entry);
    this.#pump();
  }

  /** @returns the task to run later */
  async #attempt(entry: QueuedTask<Task>, task: Task): Promise<Task | undefined> {
    const { what, run, metrics, log } = this.#options;
    try {
      const left = await run(task);
      metrics.attempted(what, 'done');
      entry.failures = left === undefined ? 0 : entry.failures + 1;
      return left;
    } catch (error) {
      if (this.#state === 'closed') return undefined;
      if (isTransient(error)) {
        entry.failures += 1;
        metrics.attempted(what, 'retried');
        log.debug({ what, failures: entry.failures, err: error }, 'bookkeeping failed; retrying');
        return task;
      }
      entry.failures = 0;
      metrics.attempted(what, 'dropped');
      log.warn({ what, err: error }, 'background update dropped: the table rejected it');
      return undefined;
    }
  }

  /** Adds a remaining task, which is older than the tasks added meanwhile. */
  #join(entry: QueuedTask<Task>, left: Task): void {
    entry.task = entry.task === undefined ? left : this.#options.merge(left, entry.task);
  }

  #next(key: string, entry: QueuedTask<Task>): void {
    if (entry.task === undefined) {
      this.#entries.delete(key);
      if (this.#entries.size === 0) for (const resolve of this.#empty) resolve();
    } else if (entry.failures === 0) {
      this.#ready.add(key);
    } else {
      const failures = this.#state === 'flushing' ? 1 : entry.failures;
      entry.timer = setTimeout(() => this.#resume(key, entry), pauseMs(failures));
    }
  }

  #resume(key: string, entry: QueuedTask<Task>): void {
    clearTimeout(entry.timer);
    entry.timer = undefined;
    this.#ready.add(key);
    this.#pump();
  }
}

/**
 * Milliseconds with jitter: 50 % to 100 % of a ceiling that doubles, so that tasks that failed together are not retried
 * together.
 */
function pauseMs(failures: number): number {
  const ceiling = Math.min(maxPauseMs, minPauseMs * 2 ** (failures - 1));
  return ceiling * (0.5 + Math.random() / 2);
}
