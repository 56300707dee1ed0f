import { catalogTaskPartition, parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';
import type { Logger } from 'pino';

/** Something that was begun and has to be brought to its end, by whichever replica: an item of the table. */
export interface Task {
  key: Key;
  kind: string;
  /** What its key names behind the kind. */
  segments: readonly string[];
  /** The whole item, as it was when it was found. */
  item: Document;
}

/** `later`: with the next look of some replica; `retryMs`: here, once so many milliseconds have passed. */
export type TaskResult = 'done' | 'later' | { retryMs: number };

/**
 * Works on a task; it may be cut off at any point and called again, by two replicas at once too. A task that is done is
 * deleted by its key: what is to be done anew needs another one.
 */
export type TaskHandler = (task: Task, signal: AbortSignal) => Promise<TaskResult>;

export interface TaskRunnerOptions {
  table: Table;
  log: Logger;
  handlers: ReadonlyMap<string, TaskHandler>;
  /** Milliseconds between two looks for tasks that others left. */
  intervalMs?: number;
}

/** Of each kind, so that those which take hours do not keep those waiting which take a moment. */
const atOnce = 4;

/** @throws TypeError when the item is not a task */
export function taskOf(item: Document): Task {
  const key = keyOf(item);
  const parsed = parseKey(key);
  if (parsed.item !== 'catalogTask') throw new TypeError(`a ${parsed.item}, not a task`);
  return { key, kind: parsed.kind, segments: parsed.segments, item };
}

/**
 * Brings to its end what was begun. What there is to do is in the table, so an end of the process at any point costs nothing
 * but time: another replica, or this one after its next start, finds it.
 */
export class TaskRunner {
  readonly #options: TaskRunnerOptions & { intervalMs: number };
  readonly #closing = new AbortController();
  readonly #waiting = new Map<string, Task>();
  readonly #underWay = new Map<string, { kind: string; ended: Promise<void> }>();
  readonly #retries = new Map<string, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: TaskRunnerOptions) {
    this.#options = { intervalMs: 30_000, ...options };
  }

  /** Resolves once it is known what others left undone, or that this cannot be known now. */
  async start(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#timer = setInterval(() => void this.#look(), this.#options.intervalMs);
    await this.#look();
  }

  /** Begins with it now, or as soon as others are done; nothing where it is being worked on already. */
  begin(task: Task): void {
    const { sk } = task.key;
    if (this.#closing.signal.aborted || this.#underWay.has(sk)) return;
    clearTimeout(this.#retries.get(sk));
    this.#retries.delete(sk);
    this.#waiting.set(sk, task);
    this.#next();
  }

  /** Resolves when nothing is under way any more; what is not done stays for later. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort(new Error('the service is closing'));
    for (const timer of this.#retries.values()) clearTimeout(timer);
    this.#waiting.clear();
    await Promise.all([...this.#underWay.values()].map(({ ended }) => ended));
    await this.#looking;
  }

  /** One look at a time. */
  #look(): Promise<void> {
    this.#looking ??= this.#readTasks().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #readTasks(): Promise<void> {
    const { signal } = this.#closing;
    try {
      let after: PageKey | undefined;
      do {
        const question = { pk: catalogTaskPartition, ...(after && { after }), signal };
        const page = await this.#options.table.query(question);
        for (const item of page.items) this.#found(item);
        after = page.next;
      } while (after !== undefined);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.log.warn({ err: error }, 'reading pending tasks failed; retrying later');
    }
  }

  /** A task that a newer version left is for that to do. */
  #found(item: Document): void {
    try {
      const task = taskOf(item);
      // What waits for its time knows better than a look when that has come.
      if (!this.#retries.has(task.key.sk)) this.begin(task);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'task is unreadable');
    }
  }

  #next(): void {
    for (const [sk, task] of this.#waiting) {
      const ofKind = [...this.#underWay.values()].filter(({ kind }) => kind === task.kind);
      if (ofKind.length >= atOnce) continue;
      this.#waiting.delete(sk);
      const ended = this.#work(task).then((result) => {
        this.#underWay.delete(sk);
        if (typeof result === 'object') this.#retry(task, result.retryMs);
        this.#next();
      });
      this.#underWay.set(sk, { kind: task.kind, ended });
    }
  }

  #retry(task: Task, retryMs: number): void {
    if (this.#closing.signal.aborted) return;
    const { sk } = task.key;
    this.#retries.set(
      sk,
      setTimeout(() => this.begin(task), retryMs),
    );
  }

  /** Never rejects. */
  async #work(task: Task): Promise<TaskResult> {
    const { table, handlers } = this.#options;
    const { signal } = this.#closing;
    const log = this.#options.log.child({ task: [task.kind, ...task.segments] });
    const handler = handlers.get(task.kind);
    if (handler === undefined) {
      log.warn('task of an unknown kind: left to a newer release');
      return 'later';
    }
    try {
      const result = await handler(task, signal);
      if (result === 'done') await table.delete(task.key);
      return result;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'task failed; retrying later');
      return 'later';
    }
  }
}
