import { entityKey } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { absent, allOf, ConditionFailed, equal, ItemRefused, present } from '@engawa/table';
import { ulid } from 'ulid';
import { refused } from './commit.ts';
import { automaticAttributes } from './next-entity.ts';
import { partName, rankKey } from './wanted-items.ts';
import type { EntityName } from '@engawa/keys';
import type { AttributeValue, Entity, EntityType } from '@engawa/model';
import type { Condition, Shards, Table, Update } from '@engawa/table';
import type { Changes } from './check-changes.ts';

export interface BlindPatch {
  name: EntityName;
  changes: Changes;
  /** Only as long as it has this version. */
  version: number | undefined;
}

interface PatchBlindlyOptions {
  table: Table;
  type: EntityType;
  shards: Shards;
}

/**
 * Changes attributes without having read the entity, in one UpdateItem, where no other item depends on them: no search, no
 * text, no ranking but the type's own, whose index key is on the entity's item. So a score costs one request, and any number
 * of writers never conflict.
 * @returns the entity as it is now; undefined where it cannot be done so, and nothing was written
 */
export async function patchBlindly(
  { table, type, shards }: PatchBlindlyOptions,
  { name, changes, version }: BlindPatch,
): Promise<Entity | undefined> {
  const now = Date.now();
  const attributes = new Map<string, AttributeValue | null>([
    ...changes.attributes,
    ...automaticAttributes(type, { updatedAt: now }),
  ]);
  if (changes.relations.size > 0 || dependsOn(type, attributes)) return undefined;
  const writeId = ulid();
  const update = updateOf({ type, shards, name, attributes });
  try {
    const item = await table.update(entityKey(name), {
      ...update,
      set: { ...update.set, writeId },
      setInside: [...update.setInside, { path: ['data', 'updatedAt'], value: now }],
      add: { version: 1 },
      onlyIf: isPlain(type, version),
    });
    return parseEntity(item);
  } catch (error) {
    if (error instanceof ItemRefused) throw refused(error);
    if (!(error instanceof ConditionFailed)) throw error;
    // The answer to it may have been lost, and this be its repetition.
    const took = error.item?.['writeId'] === writeId;
    return took ? parseEntity(error.item) : undefined;
  }
}

/** It is there, written under the type as it is now: then nothing but these attributes has to change. */
function isPlain({ layout }: EntityType, version: number | undefined): Condition {
  const conditions = [present('pk'), absent('gone'), equal('layout', layout)];
  return allOf(...conditions, ...(version === undefined ? [] : [equal('version', version)]));
}

/** Whether another item than the entity's own would have to change with one of these attributes. */
function dependsOn(type: EntityType, attributes: ReadonlyMap<string, unknown>): boolean {
  const others = type.rankings.filter(({ name }) => name !== type.ownRanking);
  const names = [
    ...type.searches.flatMap(({ parts }) => parts.map(partName)),
    ...others.map(({ attribute }) => attribute),
    ...type.fullText,
  ];
  return names.some((name) => attributes.has(name));
}

function updateOf({
  type,
  shards,
  name,
  attributes,
}: {
  type: EntityType;
  shards: Shards;
  name: EntityName;
  attributes: ReadonlyMap<string, AttributeValue | null>;
}) {
  const setInside: NonNullable<Update['setInside']>[number][] = [];
  const remove: (string | string[])[] = [];
  const kept = new Map<string, AttributeValue>();
  for (const [attribute, value] of attributes) {
    const path = ['data', 'attributes', attribute];
    if (value === null) remove.push(path);
    else {
      setInside.push({ path, value });
      kept.set(attribute, value);
    }
  }
  const own = type.rankings.find((ranking) => ranking.name === type.ownRanking);
  if (own === undefined || !attributes.has(own.attribute)) return { setInside, remove, set: {} };
  const key = rankKey(own, { ...name, attributes: kept, one: new Map() }, shards);
  return key === undefined
    ? { setInside, remove: [...remove, 'gsi2pk', 'gsi2sk'], set: {} }
    : { setInside, remove, set: { ...key } };
}
