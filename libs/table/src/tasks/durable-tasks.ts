import { queryPages } from '../read/pages.ts';
import type { Document } from '@engawa/model';
import type { Logger } from 'pino';
import type { QueryTarget } from '../read/pages.ts';

/** The task is retried here after `retryMs`; undefined for a task that has ended, or that the next poll finds. */
export type TaskOutcome = { retryMs: number } | undefined;

export interface DurableTasksOptions<Task> {
  table: QueryTarget;
  /** The partition key of the task items. */
  partition: string;
  /** @throws Error where the item is not a task known to this release: a newer release may have written it */
  parse: (item: Document) => Task;
  /** Identifies a task: a waiting or running task is not started again. */
  idOf: (task: Task) => string;
  /** Tasks of one kind share a limit of concurrency, so that long ones do not delay those of other kinds. */
  kindOf?: (task: Task) => string;
  /**
   * Runs a task, and deletes its item once it has ended. May be interrupted at any point and repeated, even by two
   * replicas at once. Must not reject.
   */
  run: (task: Task, signal: AbortSignal) => Promise<TaskOutcome>;
  /** Interval of polls for tasks that other replicas left. */
  intervalMs: number;
  log: Logger;
}

/** Concurrent tasks of one kind. */
const maxConcurrent = 4;

/**
 * Runs tasks that are items of the table. A crash at any point costs only time: another replica, or this one after its
 * next start, finds the item and runs the task again.
 */
export class DurableTasks<Task> {
  readonly #options: DurableTasksOptions<Task>;
  readonly #closing = new AbortController();
  readonly #waiting = new Map<string, Task>();
  readonly #running = new Map<string, { kind: string; ended: Promise<void> }>();
  readonly #retries = new Map<string, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;

  constructor(options: DurableTasksOptions<Task>) {
    this.#options = options;
  }

  /** Resolves after the first poll, even if it failed. */
  async start(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#timer = setInterval(() => void this.#poll(), this.#options.intervalMs);
    await this.#poll();
  }

  /** Starts the task now, or once running tasks of its kind have ended; does nothing for a running task. */
  begin(task: Task): void {
    const id = this.#options.idOf(task);
    if (this.#closing.signal.aborted || this.#running.has(id)) return;
    clearTimeout(this.#retries.get(id));
    this.#retries.delete(id);
    this.#waiting.set(id, task);
    this.#next();
  }

  /** Resolves when no task runs any more; unfinished tasks stay in the table. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort(new Error('the service is closing'));
    for (const timer of this.#retries.values()) clearTimeout(timer);
    this.#waiting.clear();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    await this.#polling;
  }

  /** One poll at a time. */
  #poll(): Promise<void> {
    this.#polling ??= this.#readTasks().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  async #readTasks(): Promise<void> {
    const { table, partition, log } = this.#options;
    const { signal } = this.#closing;
    try {
      for await (const page of queryPages(table, { pk: partition, signal })) {
        for (const item of page.items) this.#found(item);
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'reading pending tasks failed; retrying later');
    }
  }

  #found(item: Document): void {
    const { parse, idOf, log } = this.#options;
    try {
      const task = parse(item);
      // A poll does not start a task early that waits for its retry.
      if (!this.#retries.has(idOf(task))) this.begin(task);
    } catch (error) {
      log.warn({ err: error, key: item['sk'] }, 'task skipped: its item is invalid');
    }
  }

  #next(): void {
    const { kindOf, run } = this.#options;
    for (const [id, task] of this.#waiting) {
      const kind = kindOf?.(task) ?? '';
      const ofKind = [...this.#running.values()].filter((other) => other.kind === kind);
      if (ofKind.length >= maxConcurrent) continue;
      this.#waiting.delete(id);
      const ended = run(task, this.#closing.signal).then((outcome) => {
        this.#running.delete(id);
        if (outcome !== undefined) this.#retry(id, task, outcome.retryMs);
        this.#next();
      });
      this.#running.set(id, { kind, ended });
    }
  }

  #retry(id: string, task: Task, retryMs: number): void {
    if (this.#closing.signal.aborted) return;
    this.#retries.set(
      id,
      setTimeout(() => this.begin(task), retryMs),
    );
  }
}
