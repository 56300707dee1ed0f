import { parseKey, relationKey } from '@engawa/keys';
import { keyOf } from './place.ts';
import type { EntityName } from '@engawa/keys';
import type { ScalarValue } from './attribute-value.ts';
import type { Document } from './item-size.ts';

/** What is said of relations to one entity: attributes by their names, by the name of the relation. */
export type LinkAttributes = ReadonlyMap<string, ReadonlyMap<string, ScalarValue>>;

/** What a staged write will make of a row. */
export interface Staged {
  write: string;
  /** None: the row goes. */
  relations: readonly string[];
  /** See `RelationRow`. */
  incarnation?: string | undefined;
  attributes?: LinkAttributes | undefined;
}

/** That one entity relates to another: one row whatever number of relations lead there. */
export interface RelationRow {
  from: EntityName;
  to: EntityName;
  /** Names of relations of the type of `from`; none where the row is only staged. */
  relations: readonly string[];
  /** Since when one leads there (epoch milliseconds). */
  at: number;
  /** That of `to` when it was made: where `to` has another one by now, the row is about to be taken away. */
  incarnation?: string | undefined;
  /** Of these relations, where they have any. */
  attributes?: LinkAttributes | undefined;
  staged?: Staged | undefined;
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

type Leading = Pick<RelationRow, 'relations' | 'incarnation' | 'attributes'>;

function leading({ relations, incarnation, attributes }: Leading) {
  const said = [...(attributes ?? [])].map(
    ([name, values]) => [name, Object.fromEntries(values)] as const,
  );
  return {
    relations: [...relations],
    ...(incarnation !== undefined && { incarnation }),
    ...(said.length > 0 && { attributes: Object.fromEntries(said) }),
  };
}

interface StoredLeading extends Omit<Leading, 'attributes'> {
  attributes?: Record<string, Record<string, ScalarValue>>;
}

function parseLeading({ relations, incarnation, attributes }: StoredLeading): Leading {
  const said = Object.entries(attributes ?? {}).map(
    ([name, values]) => [name, new Map(Object.entries(values))] as const,
  );
  return {
    relations,
    ...(incarnation !== undefined && { incarnation }),
    ...(said.length > 0 && { attributes: new Map(said) }),
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
 * The relations that a row stands for, none where it stands for none (any more, or yet): what is staged counts from the
 * moment in which the entity that it leads from says so.
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
