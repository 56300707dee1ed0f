import { deletionIntentItem } from '../entities/delete/deletion-intent.ts';
import { taskOf } from '../tasks/task-runner.ts';
import { refuseSameEntity } from './prepare.ts';
import { writeTogether } from './write-together.ts';
import type { EntityStore } from '../entities/write/entity-store.ts';
import type { TaskRunner } from '../tasks/task-runner.ts';
import type { PrepareOptions } from './prepare.ts';
import type { Prepared } from './prepared.ts';
import type { Step } from './step.ts';

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

  /** @throws Problem of a step: then nothing was written */
  async write(steps: readonly Step[]): Promise<Prepared[]> {
    refuseSameEntity(steps);
    const { entities, tasks, types, by } = this.#options;
    const names = steps.map(({ name }) => name);
    const written = await entities.together(names, (parts) =>
      writeTogether({ ...parts, types, by }, steps),
    );
    for (const { intent } of written) {
      if (intent !== undefined) tasks.begin(taskOf(deletionIntentItem(intent)));
    }
    return written;
  }
}
