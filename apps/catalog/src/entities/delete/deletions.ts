import { taskOf } from '../../tasks/task-runner.ts';
import { deleteEntity } from './delete-entity.ts';
import { deletionIntentItem } from './deletion-intent.ts';
import type { TaskRunner } from '../../tasks/task-runner.ts';
import type { DeleteEntityOptions, Deletion } from './delete-entity.ts';

export interface DeletionsOptions extends DeleteEntityOptions {
  tasks: TaskRunner;
}

/** Deletes entities; relations of other entities to them are removed in the background. */
export class Deletions {
  readonly #options: DeletionsOptions;

  constructor(options: DeletionsOptions) {
    this.#options = options;
  }

  async delete(deletion: Deletion): Promise<void> {
    const intent = await deleteEntity(this.#options, deletion);
    if (intent === undefined) return;
    this.#options.tasks.begin(taskOf(deletionIntentItem(intent)));
  }
}
