import type { TypeDeclaration } from './declare-type.ts';
import type { FieldOf, PartOf } from './entity-types.ts';
import type { AttributesBetween, RelationBetween } from './relation-types.ts';

/** Entities themselves in place of what an index has of them: a request more for each 100. */
export interface Whole<IsWhole extends boolean, Field = string> {
  whole?: IsWhole;
  /** Only these attributes and relations of the entities; with `whole`. */
  fields?: readonly Field[];
  /** Of a page. */
  limit?: number;
}

export interface RankedOf<Declaration extends TypeDeclaration, Field = FieldOf<Declaration>> {
  rank: number;
  id: string;
  value: number | string;
  /** With `whole`. */
  entity?: PartOf<Declaration, Field>;
}

export interface RelatedAsk<Relation = string> {
  /** Only those that are related by it. */
  relation?: Relation;
  direction?: 'forward' | 'backward';
  order?: 'ascending' | 'descending';
}

/** An entity that another relates to, or that relates to it. */
export interface RelatedOf<Declaration, Other> {
  id: string;
  /** Names of the relations that lead there. */
  relations: RelationBetween<Declaration, Other>[];
  /** Attributes of these relations, by their names. */
  attributes?: AttributesBetween<Declaration, Other>;
}
