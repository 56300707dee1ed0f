import { checkContent } from '../entities/check-content.ts';
import { relationTargets, targetKey } from '../entities/wanted-items.ts';
import type { EntityName } from '@engawa/keys';
import type { EntityStore } from '../entities/entity-store.ts';
import type { KnownTypes } from '../types/known-types.ts';

export interface EntityIntakeOptions {
  types: KnownTypes;
  entities: EntityStore;
}

type Given = Parameters<typeof checkContent>[1];

/**
 * Makes the entities of one body, several at once. One that relates to an earlier one has to find it there, so it waits
 * while that is under way; for later ones it does not, or two that relate to each other would wait for ever.
 */
export class EntityIntake {
  readonly #types: KnownTypes;
  readonly #entities: EntityStore;
  /** By name, what resolves when the entity has come to its end, whichever it was. */
  readonly #underWay = new Map<string, Promise<undefined>>();

  constructor({ types, entities }: EntityIntakeOptions) {
    this.#types = types;
    this.#entities = entities;
  }

  /**
   * To be called in the order of the body. @returns whether it made it, or it was there
   * @throws Problem `type-not-found`, `invalid-request`, `related-entity-not-found`, or of the table
   */
  async take(name: EntityName, given: Given): Promise<boolean> {
    const key = targetKey(name);
    // Before anything is awaited: who comes next finds this one, and this one what came before.
    const earlier = new Map(this.#underWay);
    const ended = Promise.withResolvers<undefined>();
    this.#underWay.set(key, ended.promise);
    try {
      const type = await this.#types.get(name.type);
      const content = checkContent(type, given);
      const related = relationTargets(type, content.relations).keys();
      for (const other of [key, ...related]) await earlier.get(other);
      return await this.#entities.createMissing(name, content);
    } finally {
      if (this.#underWay.get(key) === ended.promise) this.#underWay.delete(key);
      ended.resolve(undefined);
    }
  }
}
