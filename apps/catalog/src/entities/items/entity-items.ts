import {
  attributeFamily,
  attributeIndexKey,
  byteLength,
  entityListFamily,
  KeyError,
  shardOf,
} from '@engawa/keys';
import { attributeRowItem, entityItem, relationItem } from '@engawa/model';
import { encodeMember, encodePart, textBytes } from '../../values/encode-part.ts';
import { partName, partValues, partPath, rankedValue, setPart } from '../../values/part-values.ts';
import { isInParts, rankKey, rankPartition, rankSortKey } from './rank-key.ts';
import type { EntityName, Gsi2Key } from '@engawa/keys';
import type {
  Document,
  Entity,
  EntityType,
  LinkAttributes,
  RankingDefinition,
  ScalarValue,
  SearchDefinition,
  SearchPart,
} from '@engawa/model';
import type { Shards } from '@engawa/table';

/** The indexed parts of an entity: its attributes, and its relations to one. */
export type IndexedEntity = Pick<Entity, 'type' | 'id' | 'attributes' | 'one'>;

/** Rows of one entity in searches with sets; together with the rows that they replace, they fit into a transaction. */
export const maxSetRows = 25;

/** Called with a value that cannot be in this search; the entity then gets no row in it. */
export type OnUnsearchable = (error: KeyError, search: string) => void;

/** The entity's own item, with the index key of its type's first ranking. @throws KeyError naming the attribute */
export function ownItem(
  type: EntityType,
  entity: Entity,
  shards: Shards,
  unsearchable?: OnUnsearchable,
): Document {
  const own = type.rankings.find(({ name }) => name === type.ownRanking);
  const ranking = own && ownRankKey(own, entity, { shards, unsearchable });
  return entityItem(entity, { shards: shards.toWrite(entityListFamily(type.name)), ranking });
}

/**
 * The rows of an entity in the searches and rankings of its type: one for each where it has values for all parts, with
 * a set one for each member.
 * @throws KeyError naming the attribute or relation whose value cannot be searched
 */
export function attributeRows(
  type: EntityType,
  entity: IndexedEntity,
  shards: Shards,
  unsearchable?: OnUnsearchable,
): Document[] {
  let setRows = 0;
  const searches = type.searches.flatMap((search) => {
    const set = setPart(type, search.parts);
    const rows = () => {
      const found = searchRows(search, entity, { set, shards });
      if (set === undefined) return found;
      if (setRows + found.length > maxSetRows) throw tooManyMembers(set);
      setRows += found.length;
      return found;
    };
    return searchable(search.name, rows, unsearchable) ?? [];
  });
  const rankings = type.rankings
    .filter(({ name }) => name !== type.ownRanking)
    .map((ranking) =>
      searchable(ranking.name, () => rankingRow(ranking, entity, shards), unsearchable),
    );
  return [...searches, ...rankings].filter((row) => row !== undefined);
}

/** One row for each target. `at`: epoch milliseconds. */
export function relationRows(
  from: EntityName,
  type: EntityType,
  relations: ReadonlyMap<string, readonly string[]>,
  options: { at: number; attributesOf?: (id: string) => LinkAttributes | undefined },
): Document[] {
  return [...relationTargets(type, relations).values()].map(({ to, names }) => {
    const attributes = options.attributesOf?.(to.id);
    return relationItem({ from, to, relations: names, at: options.at, attributes });
  });
}

/** The targets of the relations, each with the names of its relations. */
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
  search: string,
  make: () => Key | undefined,
  unsearchable: OnUnsearchable | undefined,
): Key | undefined {
  try {
    return make();
  } catch (error) {
    if (unsearchable === undefined || !(error instanceof KeyError)) throw error;
    unsearchable(error, search);
    return undefined;
  }
}

interface PartialRow {
  values: ReadonlyMap<string, ScalarValue>;
  segments: readonly string[];
}

function searchRows(
  search: SearchDefinition,
  entity: IndexedEntity,
  { set, shards }: { set: SearchPart | undefined; shards: Shards },
): Document[] {
  const bytes = textBytes(search.parts);
  const given = search.parts.map((part) => {
    return { part, given: partValues(part, entity, { isSet: part === set }) };
  });
  // A part without value: no row, and values of other parts need not be searchable.
  if (given.some((one) => one.given.length === 0)) return [];
  let rows: PartialRow[] = [{ values: new Map(), segments: [] }];
  for (const { part, given: values } of given) {
    const encode = part === set ? encodeMember : encodePart;
    const found = values.map((value) => {
      return { value, segment: encode(part, { field: partPath(part), value, bytes }) };
    });
    rows = rows.flatMap(({ values, segments }) =>
      found.map(({ value, segment }) => ({
        values: new Map([...values, [partName(part), value]]),
        segments: [...segments, segment],
      })),
    );
  }
  const items = rows.map(({ values, segments }) => {
    const index = searchKey(search, { entity, segments, shards });
    const row = { entity: nameOf(entity), search: search.name, index, values };
    return attributeRowItem({ ...row, ofSet: set !== undefined });
  });
  // Collated members that differ only in case have the same key.
  return [...new Map(items.map((item) => [item['gsi2sk'], item])).values()];
}

function tooManyMembers(part: SearchPart): KeyError {
  const reason = `has too many members: searches with sets can have at most ${maxSetRows} rows of an entity in total`;
  return new KeyError(partPath(part), reason);
}

/** In a ranking with parts, partition and sort key are set independently (`rankPartition`). */
function ownRankKey(
  ranking: RankingDefinition,
  entity: IndexedEntity,
  { shards, unsearchable }: { shards: Shards; unsearchable: OnUnsearchable | undefined },
): Partial<Gsi2Key> {
  const half = (make: () => string | undefined) => searchable(ranking.name, make, unsearchable);
  const gsi2sk = half(() => rankSortKey(ranking, entity));
  if (gsi2sk === undefined && !isInParts(ranking)) return {};
  const gsi2pk = half(() => rankPartition(ranking, entity, shards));
  return { ...(gsi2pk !== undefined && { gsi2pk }), ...(gsi2sk !== undefined && { gsi2sk }) };
}

/** @throws KeyError naming the longest part where the key is too long */
function searchKey({ name, parts }: SearchDefinition, row: IndexedRow): Gsi2Key {
  try {
    return indexKey(name, row);
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    const lengths = row.segments.map(byteLength);
    const [part] = parts.filter((_, index) => lengths[index] === Math.max(...lengths));
    throw part === undefined ? error : new KeyError(partPath(part), error.reason);
  }
}

interface IndexedRow {
  entity: IndexedEntity;
  segments: readonly string[];
  shards: Shards;
}

function rankingRow(
  ranking: RankingDefinition,
  entity: IndexedEntity,
  shards: Shards,
): Document | undefined {
  const index = rankKey(ranking, entity, shards);
  const value = rankedValue(entity.attributes.get(ranking.attribute));
  if (index === undefined || value === undefined) return undefined;
  const values = new Map([[ranking.attribute, value]]);
  const tie = ranking.ties && rankedValue(entity.attributes.get(ranking.ties.attribute));
  if (ranking.ties !== undefined && tie !== undefined) values.set(ranking.ties.attribute, tie);
  const parent = ranking.within === undefined ? undefined : entity.one.get(ranking.within);
  if (ranking.within !== undefined && parent !== undefined) values.set(ranking.within, parent);
  return attributeRowItem({ entity: nameOf(entity), search: ranking.name, index, values });
}

function indexKey(search: string, { entity, segments, shards }: IndexedRow): Gsi2Key {
  const { type, id } = entity;
  const shard = shardOf(id, shards.toWrite(attributeFamily(type, search)));
  return attributeIndexKey(shard, { entity: { type, id }, search }, segments);
}

function nameOf({ type, id }: EntityName): EntityName {
  return { type, id };
}
