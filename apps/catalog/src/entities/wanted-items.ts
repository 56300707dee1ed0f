import {
  attributeFamily,
  attributeIndexKey,
  entityListFamily,
  KeyError,
  shardOf,
} from '@engawa/keys';
import { attributeRowItem, entityItem, relationItem } from '@engawa/model';
import { encodePart, encodeRank, textBytes } from './encode-part.ts';
import type { EntityName, Gsi2Key } from '@engawa/keys';
import type {
  AttributeValue,
  Document,
  Entity,
  EntityType,
  RankingDefinition,
  SearchDefinition,
  SearchPart,
} from '@engawa/model';
import type { Shards } from '@engawa/table';

/** What is found of an entity: its attributes, and where its relations to one lead. */
export type Found = Pick<Entity, 'type' | 'id' | 'attributes' | 'one'>;

/** Told of a value that cannot be searched, which then has no row. */
export type Unsearchable = (error: KeyError) => void;

/** The entity's own item, with the index key of its type's own ranking. @throws KeyError naming the attribute */
export function ownItem(
  type: EntityType,
  entity: Entity,
  shards: Shards,
  unsearchable?: Unsearchable,
): Document {
  const own = type.rankings.find(({ name }) => name === type.ownRanking);
  const ranking =
    own === undefined ? undefined : searchable(() => rankKey(own, entity, shards), unsearchable);
  return entityItem(entity, { shards: shards.toWrite(entityListFamily(type.name)), ranking });
}

/**
 * The rows that make an entity found by the searches and rankings of its type, one for each of which it has all parts.
 * @throws KeyError naming the attribute or relation that cannot be searched as it is
 */
export function attributeRows(
  type: EntityType,
  entity: Found,
  shards: Shards,
  unsearchable?: Unsearchable,
): Document[] {
  const searches = type.searches.map((search) =>
    searchable(() => searchRow(search, entity, shards), unsearchable),
  );
  const rankings = type.rankings
    .filter(({ name }) => name !== type.ownRanking)
    .map((ranking) => searchable(() => rankingRow(ranking, entity, shards), unsearchable));
  return [...searches, ...rankings].filter((row) => row !== undefined);
}

/** One row for each entity that it relates to. `at`: epoch milliseconds. */
export function relationRows(
  from: EntityName,
  type: EntityType,
  relations: ReadonlyMap<string, readonly string[]>,
  at: number,
): Document[] {
  return [...relationTargets(type, relations).values()].map(({ to, names }) =>
    relationItem({ from, to, relations: names, at }),
  );
}

/** The entities that the relations lead to, each with the names of those that do. */
export function relationTargets(
  type: EntityType,
  relations: ReadonlyMap<string, readonly string[]>,
): Map<string, { to: EntityName; names: string[] }> {
  const targets = new Map<string, { to: EntityName; names: string[] }>();
  for (const { name, to: otherType } of type.relations) {
    for (const id of relations.get(name) ?? []) {
      const to = { type: otherType, id };
      const target = targets.get(targetKey(to)) ?? { to, names: [] };
      target.names.push(name);
      targets.set(targetKey(to), target);
    }
  }
  return targets;
}

export function targetKey({ type, id }: EntityName): string {
  return JSON.stringify([type, id]);
}

function searchable<Key>(
  make: () => Key | undefined,
  unsearchable: Unsearchable | undefined,
): Key | undefined {
  try {
    return make();
  } catch (error) {
    if (unsearchable === undefined || !(error instanceof KeyError)) throw error;
    unsearchable(error);
    return undefined;
  }
}

function searchRow(search: SearchDefinition, entity: Found, shards: Shards): Document | undefined {
  const bytes = textBytes(search.parts);
  const values = new Map<string, AttributeValue>();
  const segments: string[] = [];
  for (const part of search.parts) {
    const value = valueOf(part, entity);
    if (value === undefined) return undefined;
    values.set(partName(part), value);
    segments.push(encodePart(part, { field: pathOf(part), value, bytes }));
  }
  const index = indexKey(search.name, { entity, segments, shards });
  return attributeRowItem({ entity: nameOf(entity), search: search.name, index, values });
}

function rankingRow(
  ranking: RankingDefinition,
  entity: Found,
  shards: Shards,
): Document | undefined {
  const index = rankKey(ranking, entity, shards);
  const value = entity.attributes.get(ranking.attribute);
  if (index === undefined || value === undefined) return undefined;
  const values = new Map([[ranking.attribute, value]]);
  return attributeRowItem({ entity: nameOf(entity), search: ranking.name, index, values });
}

/** Where an entity stands in a ranking; nowhere without a value. @throws KeyError naming the attribute */
export function rankKey(
  ranking: RankingDefinition,
  entity: Found,
  shards: Shards,
): Gsi2Key | undefined {
  const value = entity.attributes.get(ranking.attribute);
  if (value === undefined) return undefined;
  const field = `attributes.${ranking.attribute}`;
  const segment = encodeRank(ranking, { field, value });
  return indexKey(ranking.name, { entity, segments: [segment], shards });
}

function indexKey(
  search: string,
  { entity, segments, shards }: { entity: Found; segments: readonly string[]; shards: Shards },
): Gsi2Key {
  const { type, id } = entity;
  const shard = shardOf(id, shards.toWrite(attributeFamily(type, search)));
  return attributeIndexKey(shard, { entity: { type, id }, search }, segments);
}

/** The name of what a part of a search is about; an attribute and a relation of a type never share one. */
export function partName(part: SearchPart): string {
  return 'attribute' in part ? part.attribute : part.relation;
}

function pathOf(part: SearchPart): string {
  return 'attribute' in part ? `attributes.${part.attribute}` : `relations.${part.relation}`;
}

function valueOf(part: SearchPart, { attributes, one }: Found): AttributeValue | undefined {
  return 'attribute' in part ? attributes.get(part.attribute) : one.get(part.relation);
}

function nameOf({ type, id }: EntityName): EntityName {
  return { type, id };
}
