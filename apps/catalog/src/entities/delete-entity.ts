import { Problem } from '@engawa/errors';
import { attributeRowKey, catalogTaskKey } from '@engawa/keys';
import { ulid } from 'ulid';
import { presentEntity } from './expected.ts';
import { relationsTo } from './relations-to.ts';
import { textsGone } from './text-rows.ts';
import type { EntityName, Key } from '@engawa/keys';
import type { Entity } from '@engawa/model';
import type { Shards, Table, Write } from '@engawa/table';
import type { KnownTypes, TypesMemory } from '../types/known-types.ts';
import type { Collection } from './collection.ts';
import type { EntityStore } from './entity-store.ts';
import type { Plan } from './plan.ts';
import type { Relating } from './relations-to.ts';

export const deletionKind = 'DELETION';

/** Entities that are named where something relates to what is to be deleted. */
const mostNamed = 20;
export interface DeleteEntityOptions {
  table: Table;
  shards: Shards;
  types: KnownTypes & TypesMemory;
  entities: EntityStore;
}

export interface Deletion {
  name: EntityName;
  version: number | undefined;
  /** Also where others relate to it: these relations are taken away behind it. */
  detach: boolean;
}

/** That relations of others may still lead to what was deleted. */
export interface Note {
  key: Key;
  /** When it was deleted (epoch milliseconds). */
  at: number;
}

/**
 * Deletes an entity with its relations and rows, all at once: a Query a page of it, one of what relates to it, one write.
 * @returns what is left to do, where any type relates to its own
 * @throws Problem `entity-not-found`, `version-mismatch`, `still-related`
 */
export async function deleteEntity(
  options: DeleteEntityOptions,
  { name, version, detach }: Deletion,
): Promise<Note | undefined> {
  const { types, entities } = options;
  await types.get(name.type);
  const mayBeRelated = await isRelatedTo(types, name.type);
  return entities.untilNotOvertaken(async () => {
    const before = await entities.read(name, { withRelations: true });
    const entity = presentEntity(before, name, version);
    if (mayBeRelated && !detach) await refuseWhatIsRelated(options, name);
    const at = Math.max(Date.now(), entity.updatedAt + 1);
    const note = mayBeRelated
      ? { key: catalogTaskKey(deletionKind, name.type, name.id, ulid()), at }
      : undefined;
    const plan = planDeletion(before, entity, { at, note, shards: options.shards });
    await entities.write(before.entity, plan);
    return note;
  });
}

/** Whether any type relates to it. Where none is known, it is looked once more: one may have been declared elsewhere. */
async function isRelatedTo(types: DeleteEntityOptions['types'], type: string): Promise<boolean> {
  const isRelated = async () =>
    (await types.all()).some(({ relations }) => relations.some(({ to }) => to === type));
  if (await isRelated()) return true;
  await types.changed();
  return isRelated();
}

function planDeletion(
  { attributeRows, relations, text }: Collection,
  { type, id }: Entity,
  { at, note, shards }: { at: number; note: Note | undefined; shards: Shards },
): Plan {
  const name = { type, id };
  const rows: Write[] = [...attributeRows.keys()].map((search) => ({
    delete: attributeRowKey({ entity: name, search }),
  }));
  rows.push(...textsGone(text, name, at, shards));
  if (note !== undefined) rows.push({ put: { ...note.key, at: note.at } });
  return {
    name,
    own: undefined,
    rows,
    relations: [...(relations?.values() ?? [])].map((before) => {
      return { to: before.to, before, names: [], isNew: false };
    }),
  };
}

async function refuseWhatIsRelated(
  { table }: DeleteEntityOptions,
  name: EntityName,
): Promise<void> {
  const found: Relating[] = [];
  let page = await relationsTo({ table }, name, { limit: mostNamed + 1 });
  found.push(...page.relating);
  while (page.next !== undefined && found.length <= mostNamed) {
    page = await relationsTo({ table }, name, { after: page.next, limit: mostNamed + 1 });
    found.push(...page.relating);
  }
  // What it relates to itself goes with it.
  const others = found.filter(({ from }) => from.type !== name.type || from.id !== name.id);
  if (others.length === 0) return;
  const more = others.length > mostNamed ? ` ${mostNamed} and more` : ` ${others.length}`;
  const faults = others.slice(0, mostNamed).map(({ from, names }) => ({
    path: `${from.type}/${from.id}`,
    message: `relates to it as ${names.join(', ')}`,
  }));
  const detail = `${name.type} "${name.id}" has relations of${more} to it, which its end would leave leading nowhere.`;
  throw new Problem('still-related', detail, { faults });
}
