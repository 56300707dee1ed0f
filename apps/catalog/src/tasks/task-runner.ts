import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Logger } from 'pino';

/** Something that was begun and has to be brought to its end, by whichever replica: an item of the table. */
export interface Task {
  key: Key;
  kind: string;
  /** What its key names behind the kind. */
  segments: readonly string[];
  /** The whole item. */
  item: Document;
}

/** Works on a task; it may be cut off at any point and called again, by two replicas at once too. `later`: not done yet. */
export type TaskHandler = (task: Task, signal: AbortSignal) => Promise<'done' | 'later'>;

export interface TaskRunnerOptions {
  table: Table;
  log: Logger;
  handlers: ReadonlyMap<string, TaskHandler>;
  /** Milliseconds between two looks for tasks that others left. */
  intervalMs?: number;
}

export class TaskRunner {
  constructor(_options: TaskRunnerOptions) {
    // Being written.
  }
  async start(): Promise<void> {}
  begin(_task: Task): void {}
  async close(): Promise<void> {}
}
