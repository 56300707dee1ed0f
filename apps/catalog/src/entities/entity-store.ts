import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import { entityKey, KeyError } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { applyChanges } from './check-changes.ts';
import { readCollection } from './collection.ts';
import { commit, largestTransaction, Overtaken, sizeOf } from './commit.ts';
import { checkExpected, presentEntity } from './expected.ts';
import { contentOf, isSameContent, nextEntity } from './next-entity.ts';
import { patchBlindly } from './patch-blindly.ts';
import { planChange } from './plan.ts';
import { rebuilt, toldTo } from './rebuilt.ts';
import { settle } from './settle.ts';
import { stagedWrite } from './staged-write.ts';
import { targetKey } from './wanted-items.ts';
import type { Expected } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { KnownTypes } from '../types/known-types.ts';
import type { Collection } from './collection.ts';
import type { Content } from './content.ts';
import type { BlindPatch } from './patch-blindly.ts';
import type { Plan } from './plan.ts';

export interface EntityStoreOptions {
  table: Table;
  shards: Shards;
  types: KnownTypes;
  log: Logger;
}

/** Times that a write is begun while others write to the same entity. */
const mostAttempts = 10;
/** Milliseconds of the longest wait between two of them. */
const longestWait = 50;

const nothing: Collection = { attributeRows: new Map(), relations: new Map(), units: 0 };

/** Writes entities: each change all of it or nothing, with every row that finds them (docs/adr/0020). */
export class EntityStore {
  readonly #options: EntityStoreOptions;

  constructor(options: EntityStoreOptions) {
    this.#options = options;
  }

  /** Makes it unless it is there, in one request where it is not too large for one. @returns whether it made it */
  async createMissing(name: EntityName, content: Content): Promise<boolean> {
    const type = await this.#options.types.get(name.type);
    const entity = nextEntity({ name, type, before: undefined, content });
    if (await this.#create(entity, content, type)) return true;
    try {
      return (await this.#put(name, content, 'absent')).created;
    } catch (error) {
      if (error instanceof Problem && error.code === 'already-exists') return false;
      throw error;
    }
  }

  /** Makes it, or all of it anew. What is as it should be is not written again. */
  async put({
    name,
    content,
    expected,
  }: {
    name: EntityName;
    content: Content;
    expected: Expected;
  }): Promise<{ entity: Entity; created: boolean }> {
    if (expected === 'absent') {
      const type = await this.#options.types.get(name.type);
      const entity = nextEntity({ name, type, before: undefined, content });
      if (await this.#create(entity, content, type)) return { entity, created: true };
    }
    return this.#put(name, content, expected);
  }

  /** One request where no other item depends on what changes, two where one does. */
  async patch(patch: BlindPatch): Promise<Entity> {
    const { name, changes, version } = patch;
    const { table, types, shards } = this.#options;
    const first = await types.get(name.type);
    const patched = await described(() => patchBlindly({ table, type: first, shards }, patch));
    if (patched !== undefined) return patched;
    const withRelations = changes.relations.size > 0;
    return this.#change(name, { withRelations }, (before, type) => {
      const entity = presentEntity(before, name, version);
      const content = applyChanges(contentOf(before), changes);
      if (isSameContent(before, type, content)) return { entity };
      const next = nextEntity({ name, type, before: entity, content });
      return { entity: next, relations: withRelations ? content.relations : undefined };
    });
  }

  /** Brings its rows to what the type says; nothing where they are so already, or it is not there. */
  async rebuild(name: EntityName, type: EntityType): Promise<void> {
    const { table, shards, log } = this.#options;
    await this.untilNotOvertaken(async () => {
      const before = await readCollection({ table }, name, { withRelations: false });
      const plan = rebuilt(before, { type, shards, log });
      if (plan !== undefined) await commit({ table, before: before.entity }, plan);
    });
  }

  /**
   * Takes away its relations to an entity that is gone; where there is another of that id by now, those that began by then
   * (epoch milliseconds).
   */
  async detach(name: EntityName, to: EntityName, until: number): Promise<void> {
    await this.untilNotOvertaken(async () => {
      const before = await this.read(name, { withRelations: true });
      const row = before.relations?.get(targetKey(to));
      const { entity } = before;
      if (entity === undefined || entity.gone === true || row === undefined) return;
      // In this order: what led there when there was nothing is not meant for what came later.
      if (row.at > until && (await isPresent(this.#options.table, to))) return;
      const type = await this.#options.types.get(name.type);
      const content = withoutRelationsTo(to, contentOf(before), type);
      const next = nextEntity({ name, type, before: entity, content });
      const wanted = { entity: next, relations: content.relations };
      const { shards, log } = this.#options;
      const unsearchable = toldTo(log, type, name);
      await this.write(entity, planChange(before, wanted, { type, shards, unsearchable }));
    });
  }

  async #put(name: EntityName, content: Content, expected: Expected) {
    let created = false;
    const entity = await this.#change(name, { withRelations: true }, (before, type) => {
      const there = before.entity?.gone === true ? undefined : before.entity;
      checkExpected(name, there, expected);
      created = there === undefined;
      if (there !== undefined && isSameContent(before, type, content)) return { entity: there };
      const next = nextEntity({ name, type, before: there, content });
      return { entity: next, relations: content.relations };
    });
    return { entity, created };
  }

  /** Without having looked whether it is there. @returns whether it was not */
  async #create(entity: Entity, { relations }: Content, type: EntityType): Promise<boolean> {
    const shards = this.#options.shards;
    try {
      const plan = await described(() =>
        planChange(nothing, { entity, relations }, { type, shards }),
      );
      await this.write(undefined, plan);
      return true;
    } catch (error) {
      if (error instanceof Overtaken) return false;
      throw error;
    }
  }

  /** Reads, has it decided what is to be (the entity as it is: nothing), and writes that unless overtaken. */
  async #change(
    name: EntityName,
    { withRelations }: { withRelations: boolean },
    decide: (
      before: Collection,
      type: EntityType,
    ) => { entity: Entity; relations?: Content['relations'] | undefined },
  ): Promise<Entity> {
    const { types, shards } = this.#options;
    return this.untilNotOvertaken(async () => {
      const before = await this.read(name, { withRelations });
      const type = await types.get(name.type);
      const wanted = decide(before, type);
      if (wanted.entity === before.entity) return wanted.entity;
      const plan = await described(() =>
        planChange(before, { relations: undefined, ...wanted }, { type, shards }),
      );
      await this.write(before.entity, plan);
      return wanted.entity;
    });
  }

  /** As it is, once what an earlier write has staged is settled. @throws Overtaken where another was decided meanwhile */
  async read(name: EntityName, { withRelations }: { withRelations: boolean }): Promise<Collection> {
    const { table } = this.#options;
    const read = () => readCollection({ table }, name, { withRelations });
    const collection = await read();
    const { settles, gone } = collection.entity ?? {};
    if (settles === undefined || !(withRelations || gone === true)) return collection;
    await settle({ table }, name, settles);
    const settled = await read();
    // Its rows are about to be written by who settles it: what this writer makes of them would be lost.
    if (settled.entity?.settles !== undefined) throw new Overtaken();
    return settled;
  }

  /** @throws Overtaken, Problem `related-entity-not-found` */
  async write(before: Entity | undefined, plan: Plan): Promise<void> {
    const { table, log } = this.#options;
    if (sizeOf(plan) <= largestTransaction) await commit({ table, before }, plan);
    else await stagedWrite({ table, log, before }, plan);
  }

  /** Does it again while others write to the same entity. @throws Problem `table-throttled` when they never stop */
  async untilNotOvertaken<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        if (attempts === mostAttempts) {
          throw new Problem('table-throttled', 'Others write to the same entity all the time.');
        }
        await delay(Math.random() * longestWait);
      }
    }
  }
}

/** Whether it is there; one GetItem. */
async function isPresent(table: Table, name: EntityName): Promise<boolean> {
  const item = await table.get(entityKey(name), { consistent: true });
  return item !== undefined && parseEntity(item).gone !== true;
}

/** What it says of itself without what leads to an entity. */
function withoutRelationsTo(to: EntityName, content: Content, type: EntityType): Content {
  const leading = new Set(
    type.relations.filter((one) => one.to === to.type).map(({ name }) => name),
  );
  const relations = [...content.relations].map(
    ([name, ids]) => [name, leading.has(name) ? ids.filter((id) => id !== to.id) : ids] as const,
  );
  return { ...content, relations: new Map(relations) };
}

/** A value that cannot be searched as it is, said of the body that it came from. */
async function described<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    const faults = [{ path: `body.${error.field}`, message: error.reason }];
    const detail = `body.${error.field} ${error.reason}.`;
    throw new Problem('invalid-request', detail, { faults, cause: error });
  }
}
