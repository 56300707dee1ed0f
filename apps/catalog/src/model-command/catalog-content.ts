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

/** A target: its id, or an object with id and attributes of the relation. */
export type RelationTargetInput = string | { id: string; attributes?: Record<string, ScalarValue> };

export const idOf = (target: RelationTargetInput): string =>
  typeof target === 'string' ? target : target.id;

/** An entity as `POST /v1/entities` takes it. */
export interface EntityInput {
  type: string;
  id: string;
  attributes: Record<string, JsonValue>;
  relations: Record<string, string | RelationTargetInput[]>;
}

/** Types and entities of a catalog. */
export interface CatalogContent {
  types: DeclaredType[];
  entities: EntityInput[];
}

export interface ImportedModel extends CatalogContent {
  /** What the catalog does not support, each with its name. */
  leftOut: string[];
}
