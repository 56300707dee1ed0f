import { parseKey, relationKey } from '@engawa/keys';
import { keyOf } from '../places/place.ts';
import type { EntityName } from '@engawa/keys';
import type { ScalarValue } from './attribute-value.ts';
import type { Document } from '../values/item-size.ts';

/** Attributes of the relations to one entity, by the relation's name, then by the attribute's name. */
export type LinkAttributes = ReadonlyMap<string, ReadonlyMap<string, ScalarValue>>;

/** The relations of a row after its staged write is committed. */
export interface StagedRelations {
  write: string;
  /** Empty: the row is deleted. */
  relations: readonly string[];
  /** See `RelationRow`. */
  incarnation?: string | undefined;
  attributes?: LinkAttributes | undefined;
}

/** A row per pair of related entities, for any number of relations between them. */
export interface RelationRow {
  from: EntityName;
  to: EntityName;
  /** Names of relations of the type of `from`; empty where the row is only staged. */
  relations: readonly string[];
  /** Time of the first relation (epoch milliseconds). */
  at: number;
  /**
   * The incarnation of `to` when the relation was made: if `to` now has another one, the row is about to be deleted.
   */
  incarnation?: string | undefined;
  /** Attributes of these relations, if any. */
  attributes?: LinkAttributes | undefined;
  staged?: StagedRelations | undefined;
}

export function relationItem({ from, to, at, staged, ...row }: RelationRow): Document {
  const data = { ...leading(row), at };
  return {
    ...relationKey(from, to),
    data:
      staged === undefined
        ? data
        : { ...data, staged: { write: staged.write, ...leading(staged) } },
  };
}

type RelationContent = Pick<RelationRow, 'relations' | 'incarnation' | 'attributes'>;

function leading({ relations, incarnation, attributes }: RelationContent) {
  const entries = [...(attributes ?? [])].map(
    ([name, values]) => [name, Object.fromEntries(values)] as const,
  );
  return {
    relations: [...relations],
    ...(incarnation !== undefined && { incarnation }),
    ...(entries.length > 0 && { attributes: Object.fromEntries(entries) }),
  };
}

interface StoredLeading extends Omit<RelationContent, 'attributes'> {
  attributes?: Record<string, Record<string, ScalarValue>>;
}

function parseLeading({ relations, incarnation, attributes }: StoredLeading): RelationContent {
  const entries = Object.entries(attributes ?? {}).map(
    ([name, values]) => [name, new Map(Object.entries(values))] as const,
  );
  return {
    relations,
    ...(incarnation !== undefined && { incarnation }),
    ...(entries.length > 0 && { attributes: new Map(entries) }),
  };
}

/** @throws TypeError when the item is not a relation */
export function parseRelation(item: Document): RelationRow {
  const key = parseKey(keyOf(item));
  if (key.item !== 'relation') throw new TypeError(`a ${key.item}, not a relation`);
  const data = item['data'] as unknown as StoredLeading & {
    at: number;
    staged?: StoredLeading & { write: string };
  };
  const { at, staged } = data;
  const from = { type: key.type, id: key.id };
  const to = { type: key.otherType, id: key.otherId };
  const later = staged && { staged: { write: staged.write, ...parseLeading(staged) } };
  return { from, to, at, ...parseLeading(data), ...later };
}

/**
 * The relations that a row represents at present, possibly none: staged relations count once the entity `from` has
 * committed the write.
 */
export function relationsOf(
  { relations, staged }: RelationRow,
  settles: string | undefined,
): readonly string[] {
  return staged !== undefined && staged.write === settles ? staged.relations : relations;
}

/** The attributes of these relations. */
export function linkAttributesOf(
  { attributes, staged }: RelationRow,
  settles: string | undefined,
): LinkAttributes {
  const isSettled = staged !== undefined && staged.write === settles;
  return (isSettled ? staged.attributes : attributes) ?? new Map();
}
