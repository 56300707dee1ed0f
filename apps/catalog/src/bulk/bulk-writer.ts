import { invariant } from '@engawa/errors';
import { checkChanges } from '../entities/content/check-changes.ts';
import { checkContent } from '../entities/content/check-content.ts';
import { relationTargets, targetKey } from '../entities/items/entity-items.ts';
import { withKnownTypes } from '../types/known/with-known-types.ts';
import { withCurrentType } from '../types/known/with-current-type.ts';
import type { EntityName } from '@engawa/keys';
import type { EntityType } from '@engawa/model';
import type { Content } from '../entities/content/content.ts';
import type { ChangeOutcome } from '../entities/write/decide.ts';
import type { EntityStore } from '../entities/write/entity-store.ts';
import type { KnownTypes } from '../types/known/known-types.ts';

export interface BulkWriterOptions {
  types: KnownTypes;
  entities: EntityStore;
}

/** An unchecked content. */
export type ContentInput = Parameters<typeof checkContent>[1];

/** How an existing entity is handled. */
export const existingModes = ['keep', 'replace'] as const;
export type ExistingMode = (typeof existingModes)[number];

export type BulkOutcome = ChangeOutcome | 'existing';

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
          const content = importedContent(type, given);
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

  /** The entities that an entry relates to, by `targetKey`. */
  relatedTo(name: EntityName, given: ContentInput): Promise<Map<string, EntityName>> {
    return withKnownTypes(this.#types, [name.type], (type) => {
      const targets = relationTargets(type, checkContent(type, given).relations);
      return new Map([...targets].map(([key, { to }]) => [key, to]));
    });
  }

  /** Creates a missing entity without its relations to some others. */
  async createWithout(
    name: EntityName,
    given: ContentInput,
    others: ReadonlySet<string>,
  ): Promise<BulkOutcome> {
    return withCurrentType(this.#types, name.type, {
      check: (type) => {
        const content = checkContent(type, given);
        const relations = [...content.relations].map(([relation, ids]) => {
          const to = targetTypeOf(type, relation);
          return [relation, ids.filter((id) => !others.has(targetKey({ type: to, id })))] as const;
        });
        return { ...content, relations: new Map(relations) };
      },
      write: async (content, layout) => {
        const isCreated = await this.#entities.createMissing(name, content, layout);
        return isCreated ? 'created' : 'existing';
      },
    });
  }

  /** Adds the relations of an entry to the entity. */
  async addRelations(name: EntityName, { relations }: ContentInput): Promise<void> {
    await withCurrentType(this.#types, name.type, {
      check: (type) => checkChanges(type, { relations: additionsOf(type, relations) }),
      write: (changes, layout) =>
        this.#entities.patch({ name, changes, revision: undefined, layout }),
    });
  }
}

/** An entry may have been read from another table, whose times and versions are others. */
function importedContent(type: EntityType, given: ContentInput): Content {
  const content = checkContent(type, given);
  return { ...content, ...(content.stated && { stated: { ...content.stated, isImported: true } }) };
}

function targetTypeOf({ relations }: EntityType, name: string): string {
  const declared = relations.find((relation) => relation.name === name);
  return invariant(declared, 'a checked relation is declared').to;
}

/** The relations as a change that only adds. */
function additionsOf(type: EntityType, relations: unknown): Record<string, unknown> {
  const isMany = new Map(type.relations.map(({ name, many }) => [name, many]));
  const entries = Object.entries(relations ?? {}) as [string, unknown][];
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const ids = Array.isArray(value) ? value : [value];
      return [name, isMany.get(name.normalize('NFC')) === true ? { add: ids } : value];
    }),
  );
}
