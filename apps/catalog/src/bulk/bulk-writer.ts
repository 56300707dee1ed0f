import { checkContent } from '../entities/content/check-content.ts';
import { relationTargets, targetKey } from '../entities/items/entity-items.ts';
import { withCurrentType } from '../types/known/with-current-type.ts';
import type { EntityName } from '@engawa/keys';
import type { PutOutcome } from '../entities/write/decide.ts';
import type { EntityStore } from '../entities/write/entity-store.ts';
import type { KnownTypes } from '../types/known/known-types.ts';

export interface BulkWriterOptions {
  types: KnownTypes;
  entities: EntityStore;
}

type ContentInput = Parameters<typeof checkContent>[1];

/** How an existing entity is handled. */
export const existingModes = ['keep', 'replace'] as const;
export type ExistingMode = (typeof existingModes)[number];

export type BulkOutcome = PutOutcome | 'existing';

/**
 * Writes the entities of one request body, several in parallel. An entity waits for earlier ones that it relates to,
 * since targets must exist; it does not wait for later ones, or two entities that relate to each other would deadlock.
 */
export class BulkWriter {
  readonly #types: KnownTypes;
  readonly #entities: EntityStore;
  /** By name: resolves when the write of the entity has ended, successfully or not. */
  readonly #pending = new Map<string, Promise<undefined>>();

  constructor({ types, entities }: BulkWriterOptions) {
    this.#types = types;
    this.#entities = entities;
  }

  /**
   * To be called in the order of the body: for two entries with one id, the later one wins.
   * @throws Problem `type-not-found`, `invalid-request`, `related-entity-not-found`, or of the table
   */
  async write(name: EntityName, given: ContentInput, mode: ExistingMode): Promise<BulkOutcome> {
    const key = targetKey(name);
    // Before anything is awaited, so that each entry sees exactly the earlier ones.
    const earlier = new Map(this.#pending);
    const ended = Promise.withResolvers<undefined>();
    this.#pending.set(key, ended.promise);
    try {
      return await withCurrentType(this.#types, name.type, {
        check: (type) => {
          const content = checkContent(type, given);
          return { content, related: relationTargets(type, content.relations).keys() };
        },
        write: async ({ content, related }, layout) => {
          for (const other of [key, ...related]) await earlier.get(other);
          if (mode === 'replace') return this.#entities.upsert(name, content, layout);
          const isCreated = await this.#entities.createMissing(name, content, layout);
          return isCreated ? 'created' : 'existing';
        },
      });
    } finally {
      if (this.#pending.get(key) === ended.promise) this.#pending.delete(key);
      ended.resolve(undefined);
    }
  }
}
