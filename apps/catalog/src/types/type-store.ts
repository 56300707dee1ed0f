import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import {
  entityListFamily,
  entityListPartition,
  entityTypeKey,
  entityTypePartition,
} from '@engawa/keys';
import { entityTypeItem, keyOf, parseEntityType } from '@engawa/model';
import { ConditionFailed, equal } from '@engawa/table';
import { taskOf } from '../tasks/task-runner.ts';
import { buildKey, newBuildItem, parseBuild } from './build/build.ts';
import { closedType, isClosed, isSafelyClosed } from './closing.ts';
import { check, isStill } from './expected-type.ts';
import { typeNotFound } from './known/known-types.ts';
import { changedType, goneType, newType } from './type-changes.ts';
import { unfitChanges } from './migration/incompatible-changes.ts';
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
  settleMs: number;
}

export interface TypesQuestion {
  limit: number;
  /** The sort key at which the page before ended. */
  after?: string | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface TypesPage {
  types: EntityType[];
  after?: string | undefined;
}

/** Times that others may change a type between two of our looks at it, before we say so. */
const mostAttempts = 10;

/** Milliseconds between two looks whether a type that somebody has closed is open again. */
const closedDelayMs = 200;

/** The types in the table. A change is one transaction: of the type, the mark, and the build that it makes necessary. */
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

  /** In the byte order of their names. Goes on while the page is not full and the budget lasts. */
  async list({ limit, after: from, budget, signal }: TypesQuestion): Promise<TypesPage> {
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
   * Declares it, or changes what is declared; nothing is written where that is the same. What entities would not fit takes
   * as long as a write may that began before.
   * @throws Problem `already-exists`, `type-not-found`, `version-mismatch`, or `type-in-use` naming what may not change
   */
  async put(
    name: string,
    { definition, expected }: { definition: TypeDefinition; expected: ExpectedState },
  ): Promise<{ type: EntityType; created: boolean }> {
    return this.#retrying(name, async () => {
      const before = await this.#readOpen(name);
      const isThere = before !== undefined && before.gone !== true;
      check(name, isThere ? before : undefined, expected);
      const now = Date.now();
      if (before === undefined) {
        const type = newType(name, definition, now);
        await this.#write(type, before);
        return { type, created: true };
      }
      const type = changedType(before, definition, now);
      if (type === before) return { type, created: false };
      const faults = isThere ? unfitChanges(before, definition) : [];
      await this.#writeUnfit(type, before, faults);
      return { type, created: !isThere };
    });
  }

  /** @throws Problem `type-not-found`, `version-mismatch`, or `type-in-use` while there are entities */
  async delete(name: string, version: number | undefined): Promise<void> {
    await this.#retrying(name, async () => {
      const before = await this.#readOpen(name);
      if (before === undefined || before.gone === true) throw typeNotFound(name);
      check(name, before, version ?? 'present');
      const faults = [{ path: 'path.type', message: 'must have no entities' }];
      await this.#writeUnfit(goneType(before, Date.now()), before, faults);
    });
  }

  /**
   * Writes what entities would not fit, where there are none, and none can come meanwhile: it is closed to new ones first,
   * for as long as a write takes that does not know of it. At once where there are no faults.
   */
  async #writeUnfit(type: EntityType, before: EntityType, faults: FieldError[]): Promise<void> {
    if (faults.length === 0) return this.#write(type, before);
    const { settleMs } = this.#options;
    await this.#refuseUnfit(type.name, faults);
    const closed = closedType(before, settleMs);
    await this.#write(closed, before);
    try {
      await delay(settleMs);
      await this.#refuseUnfit(type.name, faults);
      if (!isSafelyClosed(closed, settleMs)) {
        throw new Problem('table-throttled', 'The change of the type has taken too long.');
      }
      await this.#write(type, closed);
    } catch (error) {
      // Should this fail, it opens by itself.
      await this.#open(closed).catch(() => undefined);
      throw error;
    }
  }

  async #open({ name, closing }: EntityType): Promise<void> {
    const onlyIf = equal(['closing', 'by'], closing?.by ?? '');
    const open: Write = { update: entityTypeKey(name), remove: ['closing'], onlyIf };
    await this.#options.table.transact([open, markChange()]);
    await this.#options.types.changed();
  }

  /** Another replica may have changed it since it was read: then once more with what it is now. */
  async #retrying<Result>(name: string, change: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      try {
        return await change();
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    }
    const title = JSON.stringify(name);
    throw new Problem(
      'table-throttled',
      `Others change the type ${title} faster than it can be followed.`,
    );
  }

  async #read(name: string, signal?: AbortSignal): Promise<EntityType | undefined> {
    const options = { consistent: true, ...(signal && { signal }) };
    const item = await this.#options.table.get(entityTypeKey(name), options);
    return item && parseEntityType(item);
  }

  /** Once nobody else is about to change it. */
  async #readOpen(name: string): Promise<EntityType | undefined> {
    for (;;) {
      const type = await this.#read(name);
      if (type === undefined || !isClosed(type)) return type;
      await delay(closedDelayMs);
    }
  }

  /** @throws ConditionFailed where it is not as it was before any more */
  async #write(type: EntityType, before: EntityType | undefined): Promise<void> {
    const { table, types, tasks } = this.#options;
    const writes: Write[] = [{ put: entityTypeItem(type), onlyIf: isStill(before) }, markChange()];
    const mustBuild = before !== undefined && type.gone !== true && type.layout !== before.layout;
    const build = mustBuild ? newBuildItem(type) : undefined;
    if (build !== undefined) writes.push({ put: build });
    await table.transact(writes);
    if (build !== undefined) tasks.begin(taskOf(build));
    await types.changed();
  }

  /**
   * A request for each shard up to one that has an entity, and none where there is nothing to refuse. One after the other: an
   * entity that moves meanwhile goes to a higher one.
   */
  async #refuseUnfit(name: string, faults: FieldError[]): Promise<void> {
    if (faults.length === 0) return;
    const { table, shards } = this.#options;
    const family = entityListFamily(name);
    for (let shard = 0; shard < (await shards.toRead(family)); shard++) {
      const pk = entityListPartition(shard, name);
      const { items } = await table.query({ index: 'gsi1', pk, limit: 1 });
      if (items.length === 0) continue;
      const detail = `There are entities of type ${JSON.stringify(name)}.`;
      throw new Problem('type-in-use', detail, { fieldErrors: faults });
    }
  }
}
