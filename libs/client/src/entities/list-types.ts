import type { TypeDeclaration } from './declare-type.ts';
import type { FieldOf, PartOf } from './entity-types.ts';
import type { NoInclude, WithIncluded } from './include-types.ts';
import type { AttributesBetween, RelationBetween } from './relation-types.ts';

export interface EntityListOptions<IsWhole extends boolean, Field = string> {
  /** Returns entities from the table instead of the index's projection: one more request per 100. */
  whole?: IsWhole;
  /** Only these attributes and relations of the entities; requires `whole`. */
  fields?: readonly Field[];
  /** Maximum items of a page. */
  limit?: number;
}

export interface RankedOf<
  Declaration extends TypeDeclaration,
  Field = FieldOf<Declaration>,
  Include = NoInclude,
> {
  rank: number;
  id: string;
  value: number | string;
  /** Requires `whole`. */
  entity?: PartOf<Declaration, Field> & WithIncluded<Include>;
}

export interface RelatedQuery<Relation = string> {
  /** Only entities related by this relation. */
  relation?: Relation;
  direction?: 'forward' | 'backward';
  order?: 'ascending' | 'descending';
}

/** An entity related to another one, in either direction. */
export interface RelatedOf<Declaration, Other> {
  id: string;
  /** Names of the relations to it. */
  relations: RelationBetween<Declaration, Other>[];
  /** Attributes of these relations, by their names. */
  attributes?: AttributesBetween<Declaration, Other>;
}
