import { setTimeout as delay } from 'node:timers/promises';
import { invariant, Problem } from '@engawa/errors';
import {
  entityListFamily,
  entityListPartition,
  entityTypeKey,
  entityTypePartition,
} from '@engawa/keys';
import { entityTypeItem, keyOf, parseEntityType } from '@engawa/model';
import { equal, retryOnConflict } from '@engawa/table';
import { taskOf } from '../tasks/task-runner.ts';
import { buildKey, newBuildItem, parseBuild } from './build/build.ts';
import { closedType, isClosed, isSafelyClosed } from './closed-type.ts';
import { checkExpectedType, isUnchanged } from './expected-type.ts';
import { typeNotFound } from './known/known-types.ts';
import { changedType, deletedType, newType } from './type-changes.ts';
import { incompatibleChanges } from './migration/incompatible-changes.ts';
import { markChange } from './known/types-mark.ts';
import type { RequestBudget, ExpectedState } from '@engawa/http';
import type { EntityType } from '@engawa/model';
import type { Shards, Table, Write } from '@engawa/table';
import type { FieldError } from '@engawa/errors';
import type { TaskRunner } from '../tasks/task-runner.ts';
import type { Build } from './build/build.ts';
import type { TypeDefinition } from './check/check-type.ts';
import type { TypesMemory } from './known/known-types.ts';

export interface TypeStoreOptions {
  table: Table;
  shards: Shards;
  types: TypesMemory;
  tasks: Pick<TaskRunner, 'begin'>;
  /** TYPE_SETTLE_MS. */
  quiescenceMs: number;
}

export interface TypesQuery {
  limit: number;
  /** The last sort key of the previous page. */
  after?: string | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface TypePage {
  types: EntityType[];
  after?: string | undefined;
}

/** Between two reads of a type that another request has closed. */
const closedDelayMs = 200;

/**
 * The types in the table. A change is one transaction: the type, the change mark, and the task of a
 * build if needed.
 */
export class TypeStore {
  readonly #options: TypeStoreOptions;

  constructor(options: TypeStoreOptions) {
    this.#options = options;
  }

  /** One GetItem, and one more while it is being built. @throws Problem `type-not-found` */
  async get(
    name: string,
    signal: AbortSignal,
  ): Promise<{ type: EntityType; build: Build | undefined }> {
    const type = await this.#read(name, signal);
    if (type === undefined || type.gone === true) throw typeNotFound(name);
    if (type.built >= type.layout) return { type, build: undefined };
    const key = buildKey({ type: name, layout: type.layout });
    const item = await this.#options.table.get(key, { consistent: true, signal });
    return { type, build: item && parseBuild(item) };
  }

  /** Sorted by name in byte order. Reads until the page is full or the budget is spent. */
  async list({ limit, after: from, budget, signal }: TypesQuery): Promise<TypePage> {
    const types: EntityType[] = [];
    const pk = entityTypePartition;
    const sk = { beginsWith: 'TYPE#' };
    let after = from;
    do {
      const { items, next, units } = await this.#options.table.query({
        pk,
        sk,
        ...(after !== undefined && { after: { pk, sk: after } }),
        limit: limit + 1,
        signal,
      });
      budget.charge(units);
      for (const item of items) {
        const type = parseEntityType(item);
        if (type.gone === true) continue;
        if (types.length === limit) return { types, after };
        types.push(type);
        after = keyOf(item).sk;
      }
      after = next?.['sk'];
    } while (after !== undefined && types.length < limit && !budget.isSpent);
    return { types, after };
  }

  /**
   * Declares or changes a type; an equal declaration writes nothing. An incompatible change waits for TYPE_SETTLE_MS,
   * so that earlier writes have ended.
   * @throws Problem `already-exists`, `type-not-found`, `version-mismatch`, or `type-in-use` naming incompatible
   * changes, or `too-many-conflicts`
   */
  async put(
    name: string,
    { definition, expected }: { definition: TypeDefinition; expected: ExpectedState },
  ): Promise<{ type: EntityType; created: boolean }> {
    return retryOnConflict({ resource: titleOf(name) }, async () => {
      const before = await this.#readOpen(name);
      const exists = before !== undefined && before.gone !== true;
      checkExpectedType(name, exists ? before : undefined, expected);
      const now = Date.now();
      if (before === undefined) {
        const type = newType(name, definition, now);
        await this.#write(type, before);
        return { type, created: true };
      }
      const type = changedType(before, definition, now);
      if (type === before) return { type, created: false };
      const fieldErrors = exists ? incompatibleChanges(before, definition) : [];
      await this.#writeIncompatible(type, before, fieldErrors);
      return { type, created: !exists };
    });
  }

  /** @throws Problem `type-not-found`, `version-mismatch`, `too-many-conflicts`, `type-in-use`: it has entities */
  async delete(name: string, version: number | undefined): Promise<void> {
    await retryOnConflict({ resource: titleOf(name) }, async () => {
      const before = await this.#readOpen(name);
      if (before === undefined || before.gone === true) throw typeNotFound(name);
      checkExpectedType(name, before, version ?? 'present');
      const fieldErrors = [{ path: 'path.type', message: 'must have no entities' }];
      await this.#writeIncompatible(deletedType(before, Date.now()), before, fieldErrors);
    });
  }

  /**
   * Writes an incompatible change, if there are no entities: it closes the type to new entities for TYPE_SETTLE_MS
   * first, so that none is created meanwhile. Without `fieldErrors` it writes at once.
   */
  async #writeIncompatible(
    type: EntityType,
    before: EntityType,
    fieldErrors: FieldError[],
  ): Promise<void> {
    if (fieldErrors.length === 0) return this.#write(type, before);
    const { quiescenceMs } = this.#options;
    await this.#refuseIncompatible(type.name, fieldErrors);
    const closed = closedType(before, quiescenceMs);
    await this.#write(closed, before);
    try {
      await delay(quiescenceMs);
      await this.#refuseIncompatible(type.name, fieldErrors);
      if (!isSafelyClosed(closed, quiescenceMs)) {
        throw new Problem('deadline-exceeded', `Changing ${titleOf(type.name)} took too long.`);
      }
      await this.#write(type, closed);
    } catch (error) {
      // If this fails, the closing expires.
      await this.#open(closed).catch(() => undefined);
      throw error;
    }
  }

  async #open({ name, closing }: EntityType): Promise<void> {
    const onlyIf = equal(['closing', 'by'], invariant(closing, 'a closed type is closing').by);
    const open: Write = { update: entityTypeKey(name), remove: ['closing'], onlyIf };
    await this.#options.table.transact([open, markChange()]);
    await this.#options.types.changed();
  }

  async #read(name: string, signal?: AbortSignal): Promise<EntityType | undefined> {
    const options = { consistent: true, ...(signal && { signal }) };
    const item = await this.#options.table.get(entityTypeKey(name), options);
    return item && parseEntityType(item);
  }

  /** Waits while another request has closed the type. */
  async #readOpen(name: string): Promise<EntityType | undefined> {
    for (;;) {
      const type = await this.#read(name);
      if (type === undefined || !isClosed(type)) return type;
      await delay(closedDelayMs);
    }
  }

  /** @throws ConditionFailed where the type has changed since it was read */
  async #write(type: EntityType, before: EntityType | undefined): Promise<void> {
    const { table, types, tasks } = this.#options;
    const writes: Write[] = [
      { put: entityTypeItem(type), onlyIf: isUnchanged(before) },
      markChange(),
    ];
    const mustBuild = before !== undefined && type.gone !== true && type.layout !== before.layout;
    const build = mustBuild ? newBuildItem(type) : undefined;
    if (build !== undefined) writes.push({ put: build });
    await table.transact(writes);
    if (build !== undefined) tasks.begin(taskOf(build));
    await types.changed();
  }

  /**
   * @throws Problem `type-in-use` where there are errors and entities. One Query per shard, in ascending order: an
   * entity that moves meanwhile goes to a higher shard.
   */
  async #refuseIncompatible(name: string, fieldErrors: FieldError[]): Promise<void> {
    if (fieldErrors.length === 0) return;
    const { table, shards } = this.#options;
    const family = entityListFamily(name);
    for (let shard = 0; shard < (await shards.toRead(family)); shard++) {
      const pk = entityListPartition(shard, name);
      const { items } = await table.query({ index: 'gsi1', pk, limit: 1 });
      if (items.length === 0) continue;
      const detail = `There are entities of type ${JSON.stringify(name)}.`;
      throw new Problem('type-in-use', detail, { fieldErrors });
    }
  }
}

function titleOf(name: string): string {
  return `the type ${JSON.stringify(name)}`;
}
