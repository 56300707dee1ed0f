import { catalogTaskPartition, parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { DurableTasks } from '@engawa/table';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Table, TaskOutcome } from '@engawa/table';
import type { Logger } from 'pino';

/** Work that some replica must complete, as an item of the table. */
export interface Task {
  key: Key;
  kind: string;
  /** The segments of the key after the kind. */
  segments: readonly string[];
  /** The whole item as it was read. */
  item: Document;
}

/** `later`: with the next poll of any replica; `retryMs`: here, after this time. */
export type TaskResult = 'done' | 'later' | { retryMs: number };

/**
 * Runs a task. May be interrupted at any point and repeated, even by two replicas at once. A task that is done is
 * deleted by its key, so repeating its work needs a new task.
 */
export type TaskHandler = (task: Task, signal: AbortSignal) => Promise<TaskResult>;

export type TaskRunner = DurableTasks<Task>;

export interface TaskRunnerOptions {
  table: Table;
  log: Logger;
  handlers: ReadonlyMap<string, TaskHandler>;
  /** Interval of polls for tasks that other replicas left. */
  intervalMs?: number;
}

/** @throws TypeError where the item is not a task */
export function taskOf(item: Document): Task {
  const key = keyOf(item);
  const parsed = parseKey(key);
  if (parsed.item !== 'catalogTask') throw new TypeError(`a ${parsed.item}, not a task`);
  return { key, kind: parsed.kind, segments: parsed.segments, item };
}

export function taskRunner(options: TaskRunnerOptions): TaskRunner {
  const { table, log, intervalMs = 30_000 } = options;
  return new DurableTasks({
    table,
    partition: catalogTaskPartition,
    parse: taskOf,
    idOf: ({ key }) => key.sk,
    kindOf: ({ kind }) => kind,
    run: (task, signal) => run(options, task, signal),
    intervalMs,
    log,
  });
}

async function run(
  { table, handlers, ...options }: TaskRunnerOptions,
  task: Task,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const log = options.log.child({ task: [task.kind, ...task.segments] });
  const handler = handlers.get(task.kind);
  if (handler === undefined) {
    log.warn('this release does not know the kind of the task: a newer release must run it');
    return undefined;
  }
  try {
    const result = await handler(task, signal);
    if (result === 'done') await table.delete(task.key);
    return typeof result === 'object' ? result : undefined;
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'task failed; retrying later');
    return undefined;
  }
}
