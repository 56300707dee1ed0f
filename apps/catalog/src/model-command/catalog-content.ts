import type {
  AttributeDefinition,
  EntityType,
  JsonValue,
  RelationDefinition,
  ScalarValue,
  SearchPart,
} from '@engawa/model';

/** A type as `PUT /v1/types/{type}` takes it. */
export interface DeclaredType {
  name: string;
  attributes: AttributeDefinition[];
  relations: RelationDefinition[];
  searches: { name: string; parts: EntityType['searches'][number]['parts'] }[];
  rankings: { name: string; attribute: string; direction: 'ascending' | 'descending' }[];
  fullText: string[];
  filters?: SearchPart[];
}

/** Of a relation that has attributes, with these. */
export type GivenTarget = string | { id: string; attributes?: Record<string, ScalarValue> };

export const idOf = (target: GivenTarget): string =>
  typeof target === 'string' ? target : target.id;

/** An entity as `POST /v1/entities` takes it. */
export interface GivenEntity {
  type: string;
  id: string;
  attributes: Record<string, JsonValue>;
  relations: Record<string, string | GivenTarget[]>;
}

/** What a catalog has, or is to have. */
export interface CatalogContent {
  types: DeclaredType[];
  entities: GivenEntity[];
}

export interface ImportedModel extends CatalogContent {
  /** What the catalog does not support, each with its name. */
  leftOut: string[];
}
