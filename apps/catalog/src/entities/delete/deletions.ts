import { taskOf } from '../../tasks/task-runner.ts';
import { deleteEntity, noteItem } from './delete-entity.ts';
import type { TaskRunner } from '../../tasks/task-runner.ts';
import type { DeleteEntityOptions, Deletion } from './delete-entity.ts';

export interface DeletionsOptions extends DeleteEntityOptions {
  tasks: TaskRunner;
}

/** Deletes entities. They are gone when it resolves, and the relations of others to them soon after. */
export class Deletions {
  readonly #options: DeletionsOptions;

  constructor(options: DeletionsOptions) {
    this.#options = options;
  }

  async delete(deletion: Deletion): Promise<void> {
    const note = await deleteEntity(this.#options, deletion);
    if (note === undefined) return;
    this.#options.tasks.begin(taskOf(noteItem(note)));
  }
}
