import { Problem } from '@engawa/errors';
import { entityKey } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { changesRelations } from '../../migrations/present-entity.ts';
import { presentCollection } from '../read/present-collection.ts';
import { checkLayout, typeOf } from '../../types/known/by-current-type.ts';
import { refuseClosed } from '../../types/closing.ts';
import { Additions } from './addition-marks.ts';
import { namedRelations } from '../content/check-changes.ts';
import { nothing } from '../read/item-collection.ts';
import { commit, fitsTransaction, Overtaken } from './commit.ts';
import { decidePatch, decidePut, outcomeOf } from './decide.ts';
import { described } from '../content/key-problem.ts';
import { EntityQueue } from './entity-queue.ts';
import { withoutFormer } from '../relations/stale-relations.ts';
import { withoutRow } from '../delete/detach-entity.ts';
import { Incarnations, staleTargets } from '../relations/incarnations.ts';
import { nextEntity } from './next-entity.ts';
import { patchBlindly } from '../patch/patch-in-place.ts';
import { planChange } from './write-plan.ts';
import { refusePart, relationsRead, rowsTo } from '../relations/relations-read.ts';
import { rebuilt, toldTo } from './rebuild-plan.ts';
import { readEntity } from '../read/read-entity.ts';
import { stagedWrite } from '../staged/staged-write.ts';
import { learnFrom, WriteAttempts } from './write-attempts.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { KnownTypes } from '../../types/known/known-types.ts';
import type { Collection } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';
import type { EntityParts } from './entity-parts.ts';
import type { Decide, PutDecision, PutOutcome, Read } from './decide.ts';
import type { BlindPatch } from '../patch/patch-in-place.ts';
import type { Plan } from './write-plan.ts';
import type { ReadEntityOptions } from '../read/read-entity.ts';

export interface EntityStoreOptions {
  table: Table;
  shards: Shards;
  types: KnownTypes;
  log: Logger;
  /** The wall clock by which entities expire (epoch milliseconds). */
  now?: () => number;
}

/** Writes entities: each change all of it or nothing, with every row that finds them (docs/adr/0020). */
export class EntityStore {
  readonly #options: EntityStoreOptions & { now: () => number };
  readonly #incarnations = new Incarnations();
  readonly #additions = new Additions();
  readonly #attempts = new WriteAttempts(this.#incarnations);
  /** Transactions and single writes. */
  readonly #queue = new EntityQueue();

  constructor(options: EntityStoreOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /** Makes it unless it is there, in one request where it is not too large for one. @returns whether it made it */
  async createMissing(name: EntityName, content: Content, layout?: number): Promise<boolean> {
    try {
      const { outcome } = await this.put({ name, content, expected: 'absent', layout });
      return outcome === 'created';
    } catch (error) {
      if (error instanceof Problem && error.code === 'already-exists') return false;
      throw error;
    }
  }

  /** The same, but what is there is replaced. */
  async upsert(name: EntityName, content: Content, layout?: number): Promise<PutOutcome> {
    const put = { name, content, expected: undefined, layout };
    if ((await this.#create(put)) !== undefined) return 'created';
    return (await this.#put(put)).outcome;
  }

  /** Makes it, or all of it anew. What is as it should be is not written again. */
  async put(put: PutDecision): Promise<{ entity: Entity; outcome: PutOutcome }> {
    if (put.expected === 'absent') {
      const entity = await this.#create(put);
      if (entity !== undefined) return { entity, outcome: 'created' };
    }
    return this.#put(put);
  }

  /**
   * One request where no other item depends on what changes, two where one does.
   * @throws Problem `entity-not-found`, `version-mismatch`, `condition-failed`
   */
  async patch(patch: BlindPatch): Promise<Entity> {
    const { name, changes, layout } = patch;
    const { table, types, shards, now } = this.#options;
    const first = await types.get(name.type);
    checkLayout(first, layout);
    const patched = await described(() =>
      this.#queue.exclusive([entityKey(name)], () =>
        patchBlindly({ table, type: first, shards, additions: this.#additions, now }, patch),
      ),
    );
    if (patched !== undefined) return patched;
    const read: Read = {
      relations: (type) => relationsRead(type, changes.relations),
      expired: 'hide',
      named: namedRelations(changes),
      layout,
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
    return this.#attempts.untilNotOvertaken(names, () => write(parts));
  }

  /** Brings its rows to what the type says; nothing where they are so already, or it is not there. */
  async rebuild(name: EntityName, type: EntityType): Promise<void> {
    const { shards, log } = this.#options;
    const relations = changesRelations(type) ? 'all' : 'none';
    await this.#attempts.untilNotOvertaken(name, async () => {
      const before = presentCollection(await this.read(name, { relations }), type);
      const plan = rebuilt(before, { type, shards, log });
      if (plan !== undefined) await this.write(before.entity, plan);
    });
  }

  /** Takes away its relations to an entity that was deleted, though not those to another of that id. */
  async detach(name: EntityName, to: EntityName): Promise<void> {
    const { table, types, shards, log } = this.#options;
    await this.#attempts.untilNotOvertaken(name, async () => {
      // Of a type that is gone, placeholders may be left.
      const known = (await types.all()).find((one) => one.name === name.type);
      const there = await this.read(name, {
        relations: known === undefined ? 'none' : rowsTo(known, [to]),
      });
      if (there.entity === undefined || there.entity.gone === true) return;
      const type = await typeOf(types, name, there.entity);
      refusePart(there, type);
      const before = presentCollection(there, type);
      const wanted = await withoutRow({ table }, before, { type, to });
      if (wanted === undefined) return;
      const unsearchable = toldTo(log, type, name);
      await this.write(there.entity, planChange(before, wanted, { type, shards, unsearchable }));
    });
  }

  async #put(put: PutDecision): Promise<{ entity: Entity; outcome: PutOutcome }> {
    const { name, content, layout } = put;
    let outcome: PutOutcome = 'created';
    const named = content.relations;
    const read: Read = { relations: () => 'all', expired: 'replace', named, layout };
    const decide = decidePut(put);
    const entity = await this.#change(name, read, (before, type, isStale) => {
      const decided = decide(before, type, isStale);
      outcome = outcomeOf(before, decided.entity);
      return decided;
    });
    return { entity, outcome };
  }

  /** Without having looked whether it is there. @returns nothing where it was, and nothing was written */
  async #create({ name, content, layout }: PutDecision): Promise<Entity | undefined> {
    const type = await this.#options.types.get(name.type);
    checkLayout(type, layout);
    refuseClosed(type);
    const entity = nextEntity({ name, type, before: undefined, content });
    const { relations, links } = content;
    const options = { type, shards: this.#options.shards, incarnations: this.#incarnations };
    try {
      const plan = await described(() =>
        planChange(nothing, { entity, relations, links }, options),
      );
      await this.write(undefined, plan);
      return entity;
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      learnFrom(error, this.#incarnations);
      return undefined;
    }
  }

  /** Reads, has it decided what is to be (the entity as it is: nothing), and writes that unless overtaken. */
  async #change(name: EntityName, read: Read, decide: Decide): Promise<Entity> {
    const { named, layout, expired } = read;
    const { table, types, shards } = this.#options;
    const incarnations = this.#incarnations;
    return this.#attempts.untilNotOvertaken(name, async () => {
      const relations = read.relations(await types.get(name.type));
      const there = await this.read(name, { relations, expired });
      const type = await typeOf(types, name, there.entity);
      checkLayout(type, layout);
      refusePart(there, type);
      const present = presentCollection(there, type);
      const stale = await staleTargets({ table, incarnations }, present, {
        type,
        relations: named,
      });
      const before = withoutFormer(present, { type, stale, named });
      let wanted = decide(before, type, stale.size > 0);
      if (wanted.entity === before.entity) return wanted.entity;
      const options = { type, shards, stale, incarnations };
      const planOf = (from: Collection) =>
        planChange(from, { relations: undefined, ...wanted }, options);
      const renew = (own: Document): Plan => {
        const now = presentCollection({ ...there, own, entity: parseEntity(own) }, type);
        const from = withoutFormer(now, { type, stale, named });
        wanted = decide(from, type, true);
        return planOf(from);
      };
      const plan = await described(() => planOf(before));
      await this.write(before.entity, { ...plan, renew });
      return wanted.entity;
    });
  }

  /** See `readEntity`. */
  read(name: EntityName, read: ReadEntityOptions): Promise<Collection> {
    const write = (before: Entity, plan: Plan) => this.write(before, plan);
    return readEntity({ ...this.#options, write }, name, read);
  }

  /** @throws Overtaken, Problem `related-entity-not-found` */
  async write(before: Entity | undefined, plan: Plan): Promise<void> {
    const { table, log } = this.#options;
    const queue = this.#queue;
    if (fitsTransaction(plan)) await commit({ table, queue, before }, plan);
    else await stagedWrite({ table, queue, log, before }, plan);
  }

  /** See `WriteAttempts`. */
  untilNotOvertaken<Result>(name: EntityName, attempt: () => Promise<Result>): Promise<Result> {
    return this.#attempts.untilNotOvertaken(name, attempt);
  }
}
