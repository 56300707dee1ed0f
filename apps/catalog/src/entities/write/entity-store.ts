import { invariant, Problem } from '@engawa/errors';
import { entityKey } from '@engawa/keys';
import { changesRelations } from '../../migrations/present-entity.ts';
import { presentCollection } from '../read/present-collection.ts';
import { checkLayout, typeOf } from '../../types/known/with-current-type.ts';
import { Additions } from './additions.ts';
import { namedRelations } from '../content/check-changes.ts';
import { commit, fitsTransaction } from './commit.ts';
import { createEntity } from './create-entity.ts';
import { changedEntity, decidePatch, decidePut } from './decide.ts';
import { withKeyProblem } from '../content/key-problem.ts';
import { EntityQueue } from './entity-queue.ts';
import { withoutRelation } from '../delete/detach-entity.ts';
import { Incarnations, staleTargets } from '../relations/incarnations.ts';
import { patchInPlace } from '../patch/patch-in-place.ts';
import { plannedChange, withOwnItem } from './planned-change.ts';
import { planChange } from './write-plan.ts';
import { refusePartial, relationsToRead, relationRowsTo } from '../relations/relations-read.ts';
import { planRebuild, logUnsearchable } from './rebuild-plan.ts';
import { readEntity } from '../read/read-entity.ts';
import { stagedWrite } from '../staged/staged-write.ts';
import { WriteAttempts } from './write-attempts.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { KnownTypes } from '../../types/known/known-types.ts';
import type { ItemCollection } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';
import type { EntityParts } from './entity-parts.ts';
import type {
  ChangedEntity,
  ChangeOutcome,
  ChangeRead,
  DecideChange,
  PutDecision,
} from './decide.ts';
import type { EntityPatch } from '../patch/patch-in-place.ts';
import type { WritePlan } from './write-plan.ts';
import type { ReadEntityOptions } from '../read/read-entity.ts';

export interface EntityStoreOptions {
  table: Table;
  shards: Shards;
  types: KnownTypes;
  log: Logger;
  /** The wall clock by which entities expire (epoch milliseconds). */
  now?: () => number;
}

/** Writes entities: each change atomically, with all index rows (docs/adr/0020). */
export class EntityStore {
  readonly #options: EntityStoreOptions & { now: () => number };
  readonly #incarnations = new Incarnations();
  readonly #additions = new Additions();
  readonly #attempts = new WriteAttempts(this.#incarnations);
  /** Requests to the table: transactions and single writes. */
  readonly #queue = new EntityQueue();

  constructor(options: EntityStoreOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /**
   * Creates the entity if it does not exist, in one request unless it is too large for one. @returns whether it was
   * created
   */
  async createMissing(name: EntityName, content: Content, layout?: number): Promise<boolean> {
    try {
      const { outcome } = await this.put({ name, content, expected: 'absent', layout });
      return outcome === 'created';
    } catch (error) {
      if (error instanceof Problem && error.code === 'already-exists') return false;
      throw error;
    }
  }

  /** Creates the entity, or replaces an existing one. */
  async upsert(name: EntityName, content: Content, layout?: number): Promise<ChangeOutcome> {
    const put = { name, content, expected: undefined, layout };
    const isNew = content.older === undefined;
    if (isNew && (await this.#create(put)) !== undefined) return 'created';
    return (await this.#put(put)).outcome;
  }

  /** Creates or replaces the entity. An entity with the same content is not written. */
  async put(put: PutDecision): Promise<ChangedEntity> {
    if (put.expected === 'absent') {
      const entity = await this.#create(put);
      if (entity !== undefined) return { entity, outcome: 'created' };
    }
    return this.#put(put);
  }

  /**
   * One request where no other item depends on the changed attributes, else two; with `upsert` three, if it creates the
   * entity. @throws Problem `entity-not-found`, `version-mismatch`, `condition-failed`
   */
  async patch(patch: EntityPatch): Promise<ChangedEntity> {
    const { name, changes, layout, upsert } = patch;
    const patched = await this.#patchInPlace(patch);
    if (patched !== undefined) return patched;
    const read: ChangeRead = {
      relations: (type) => relationsToRead(type, changes.relations),
      expired: upsert === true ? 'replace' : 'hide',
      named: namedRelations(changes),
      layout,
      // Another writer has created it: its counters are incremented in place again.
      ...(upsert === true && { afterConflict: () => this.#patchInPlace(patch) }),
    };
    return this.#change(name, read, decidePatch(patch, this.#additions));
  }

  /** Runs a write of several entities: one at a time with other writes to them, and again after a conflict. */
  together<Result>(
    names: readonly EntityName[],
    write: (parts: EntityParts) => Promise<Result>,
  ): Promise<Result> {
    const { table, shards } = this.#options;
    const parts: EntityParts = {
      table,
      shards,
      incarnations: this.#incarnations,
      additions: this.#additions,
      queue: this.#queue,
      read: (name, options) => this.read(name, options),
    };
    return this.#attempts.retryOnConflict(names, () => write(parts));
  }

  /** Writes the rows that the type requires; nothing where they are up to date, or the entity does not exist. */
  async rebuild(name: EntityName, type: EntityType): Promise<void> {
    const { shards, log } = this.#options;
    const relations = changesRelations(type) ? 'all' : 'none';
    await this.#attempts.retryOnConflict(name, async () => {
      const before = presentCollection(await this.read(name, { relations }), type);
      const plan = planRebuild(before, { type, shards, log });
      if (plan !== undefined) await this.write(before.entity, plan);
    });
  }

  /** Removes its relations to a deleted entity, but not those to a later incarnation of that id. */
  async detach(name: EntityName, to: EntityName): Promise<void> {
    const { table, types, shards, log } = this.#options;
    await this.#attempts.retryOnConflict(name, async () => {
      // A deleted type may have left placeholders.
      const known = (await types.all()).find((one) => one.name === name.type);
      const stored = await this.read(name, {
        relations: known === undefined ? 'none' : relationRowsTo(known, [to]),
      });
      if (stored.entity === undefined || stored.entity.gone === true) return;
      const type = await typeOf(types, name, stored.entity);
      refusePartial(stored, type);
      const before = presentCollection(stored, type);
      const desired = await withoutRelation({ table }, before, { type, to });
      if (desired === undefined) return;
      const unsearchable = logUnsearchable(log, type, name);
      await this.write(stored.entity, planChange(before, desired, { type, shards, unsearchable }));
    });
  }

  async #put(put: PutDecision): Promise<ChangedEntity> {
    const { name, content, layout } = put;
    const named = content.relations;
    const read: ChangeRead = { relations: () => 'all', expired: 'replace', named, layout };
    return this.#change(name, read, decidePut(put));
  }

  async #patchInPlace(patch: EntityPatch): Promise<ChangedEntity | undefined> {
    const { table, types, shards, now } = this.#options;
    const type = await types.get(patch.name.type);
    checkLayout(type, patch.layout);
    const entity = await withKeyProblem(() =>
      this.#queue.exclusive([entityKey(patch.name)], () =>
        patchInPlace({ table, type, shards, additions: this.#additions, now }, patch),
      ),
    );
    return entity && { entity, outcome: 'replaced' };
  }

  #create(put: PutDecision): Promise<Entity | undefined> {
    const write = (plan: WritePlan) => this.write(undefined, plan);
    return createEntity({ ...this.#options, incarnations: this.#incarnations, write }, put);
  }

  /** Reads the entity, decides the change (the same entity: none), and writes it; again after a conflict. */
  async #change(name: EntityName, read: ChangeRead, decide: DecideChange): Promise<ChangedEntity> {
    let attempts = 0;
    return this.#attempts.retryOnConflict(name, async () => {
      attempts += 1;
      const changed = attempts > 1 ? await read.afterConflict?.() : undefined;
      return changed ?? this.#attemptChange(name, read, decide);
    });
  }

  /** @throws WriteConflict */
  async #attemptChange(
    name: EntityName,
    { named, layout, ...read }: ChangeRead,
    decide: DecideChange,
  ): Promise<ChangedEntity> {
    const { table, types, shards } = this.#options;
    const incarnations = this.#incarnations;
    const relations = read.relations(await types.get(name.type));
    const stored = await this.read(name, { relations, expired: read.expired });
    const type = await typeOf(types, name, stored.entity);
    checkLayout(type, layout);
    refusePartial(stored, type);
    const present = presentCollection(stored, type);
    const stale = await staleTargets({ table, incarnations }, present, { type, relations: named });
    const options = { type, shards, incarnations, stale, named, decide };
    const { before, entity, plan } = await withKeyProblem(() =>
      plannedChange(stored, stale.size > 0, options),
    );
    if (plan === undefined) return changedEntity(before, entity);
    const replan = (own: Document): WritePlan => {
      const again = plannedChange(withOwnItem(stored, own), true, options);
      return invariant(again.plan, 'a stale entity is always written');
    };
    const written = await this.write(before.entity, { ...plan, replan });
    return changedEntity(before, invariant(written.entity, 'a change does not delete the entity'));
  }

  /** See `readEntity`. */
  read(name: EntityName, read: ReadEntityOptions): Promise<ItemCollection> {
    const write = (before: Entity, plan: WritePlan) => this.write(before, plan);
    return readEntity({ ...this.#options, write }, name, read);
  }

  /**
   * @returns the plan that was written: this one, or the last `replan`
   * @throws WriteConflict, Problem `related-entity-not-found`
   */
  async write(before: Entity | undefined, plan: WritePlan): Promise<WritePlan> {
    const { table, log } = this.#options;
    const queue = this.#queue;
    if (!fitsTransaction(plan)) return stagedWrite({ table, queue, log, before }, plan);
    await commit({ table, queue, before }, plan);
    return plan;
  }

  /** See `WriteAttempts`. */
  retryOnConflict<Result>(name: EntityName, attempt: () => Promise<Result>): Promise<Result> {
    return this.#attempts.retryOnConflict(name, attempt);
  }
}
