import { expiryFamily } from '@engawa/keys';
import { claimShard } from './expiry-claim.ts';
import { dueRows } from './delete-expired.ts';
import type { Shards, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { TaskRunner } from '../tasks/task-runner.ts';
import type { KnownTypes } from '../types/known/known-types.ts';

export interface ExpiryWatchOptions {
  table: Table;
  shards: Shards;
  types: KnownTypes;
  tasks: Pick<TaskRunner, 'begin'>;
  log: Logger;
  /** Names this replica. */
  by: string;
  /** The wall clock (epoch milliseconds). */
  now: () => number;
  /** Milliseconds between two polls. */
  intervalMs: number;
}

/**
 * Polls for expired entities: half a read unit per shard and poll while there are none, and no request while no type
 * has `expires`. One replica at a time deletes the expired entities of a shard, as a task.
 */
export class ExpiryWatch {
  readonly #options: ExpiryWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: ExpiryWatchOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isClosed) return;
    this.#timer = setInterval(() => void this.#poll(), this.#options.intervalMs);
    void this.#poll();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#polling;
  }

  /** One poll at a time. */
  #poll(): Promise<void> {
    this.#polling ??= this.#claimDue().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  /** Never rejects. */
  async #claimDue(): Promise<void> {
    const { shards, types, log } = this.#options;
    try {
      if (!(await types.all()).some(({ expires }) => expires !== undefined)) return;
      const count = await shards.toRead(expiryFamily);
      for (let shard = 0; shard < count && !this.#isClosed; shard++) await this.#claim(shard);
    } catch (error) {
      if (!this.#isClosed)
        log.warn({ err: error }, 'reading expired entities failed; retrying later');
    }
  }

  async #claim(shard: number): Promise<void> {
    const { table, tasks, by, now } = this.#options;
    const { items } = await dueRows(table, { shard, now: now(), limit: 1 });
    if (items.length === 0) return;
    const task = await claimShard(table, { shard, by, now: now() });
    if (task !== undefined) tasks.begin(task);
  }
}
