import { deletionIntentItem } from '../entities/delete/deletion-intent.ts';
import { taskOf } from '../tasks/task-runner.ts';
import { refuseSameEntity } from './prepare-operation.ts';
import { writeTogether } from './write-together.ts';
import type { EntityStore } from '../entities/write/entity-store.ts';
import type { TaskRunner } from '../tasks/task-runner.ts';
import type { PrepareOptions } from './prepare-operation.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import type { TransactionOperation } from './transaction-operation.ts';

export interface TransactionsOptions extends Pick<PrepareOptions, 'types' | 'by'> {
  entities: EntityStore;
  tasks: TaskRunner;
}

/** Writes several entities atomically. */
export class Transactions {
  readonly #options: TransactionsOptions;

  constructor(options: TransactionsOptions) {
    this.#options = options;
  }

  /** @throws Problem of an operation: then nothing was written */
  async write(operations: readonly TransactionOperation[]): Promise<PreparedOperation[]> {
    refuseSameEntity(operations);
    const { entities, tasks, types, by } = this.#options;
    const names = operations.map(({ name }) => name);
    const written = await entities.together(names, (parts) =>
      writeTogether({ ...parts, types, by }, operations),
    );
    for (const { intent } of written) {
      if (intent !== undefined) tasks.begin(taskOf(deletionIntentItem(intent)));
    }
    return written;
  }
}
