import { entityTypeKey, parseKey } from '@engawa/keys';
import { keyOf } from '../places/place.ts';
import type { PeriodLength } from '@engawa/keys';
import type { Document, DocumentValue } from '../values/item-size.ts';

export const attributeKinds = [
  'text',
  'number',
  'boolean',
  'instant',
  'list',
  'map',
  'set',
] as const;
export type AttributeKind = (typeof attributeKinds)[number];

/** The members of a set: one kind, each member once. */
export const memberKinds = ['text', 'number'] as const;
export type MemberKind = (typeof memberKinds)[number];

/** Sort encoding of a part of a search: `collated` is text without regard to case and width. */
export const encodings = ['text', 'collated', 'number', 'instant', 'boolean'] as const;
export type Encoding = (typeof encodings)[number];

export interface AttributeDefinition {
  name: string;
  kind: AttributeKind;
  required: boolean;
  /** Only for a set. */
  of?: MemberKind | undefined;
  /** For an instant: written by the service when the entity is created, or with each change of it. */
  automatic?: 'created' | 'updated' | undefined;
  /** Unique among the entities of the type (docs/adr/0071). */
  unique?: boolean | undefined;
}

export interface RelationDefinition {
  name: string;
  /** The type of the related entity or entities. */
  to: string;
  many: boolean;
  /** For a relation to many: attributes of the relation to each related entity. */
  attributes?: readonly LinkAttributeDefinition[] | undefined;
}

export const linkAttributeKinds = ['text', 'number', 'boolean', 'instant'] as const;

export interface LinkAttributeDefinition {
  name: string;
  kind: (typeof linkAttributeKinds)[number];
  required: boolean;
}

/** A part of a search key: an attribute in its encoding, or the id of the entity of a relation to one. */
export type SearchPart = { attribute: string; as: Encoding } | { relation: string };

/** Entities with a value for each part, sorted by these values, then by id. */
export interface SearchDefinition {
  name: string;
  parts: readonly SearchPart[];
  /** The layout that introduced it: queries are allowed once that layout is built. */
  layout: number;
}

/** Entities sorted by a number or an instant; the first has rank 1. */
export interface RankingDefinition {
  name: string;
  attribute: string;
  direction: 'ascending' | 'descending';
  /** A number or an instant that sorts entities with equal values; entities without it come after them. */
  ties?: { attribute: string; direction: 'ascending' | 'descending' } | undefined;
  /** A relation to one: each related entity has a separate ranking of the entities that relate to it. */
  within?: string | undefined;
  /** An instant: each day, week or month has a separate ranking of the entities whose instant is in it. */
  period?: { attribute: string; length: PeriodLength } | undefined;
  layout: number;
}

/** A filter, sort key or facet of the full-text search. */
export type FilterDefinition = SearchPart & {
  /** The layout that introduced it into the index of all entities. */
  layout: number;
};

/**
 * Migrates entities of earlier layouts to the current type (docs/adr/0066). `rename` and `remove` apply to an attribute
 * or a relation, `widen` to a relation, the others to an attribute.
 */
export type MigrationStep = { layout: number } & (
  | { step: 'rename'; from: string; to: string }
  | { step: 'remove'; name: string }
  | { step: 'widen'; name: string }
  | { step: 'convert'; name: string; to: AttributeKind }
  | { step: 'fill'; name: string }
);

/** A type of entities, as declared by a user. Searches and rankings share one namespace. */
export interface EntityType {
  name: string;
  attributes: readonly AttributeDefinition[];
  relations: readonly RelationDefinition[];
  searches: readonly SearchDefinition[];
  rankings: readonly RankingDefinition[];
  /** Attributes of kind text, or sets of texts, that the full-text search covers. */
  fullText: readonly string[];
  /** Whether entities may have undeclared attributes, with any JSON value. */
  additional?: boolean | undefined;
  /** Absent where there are none. */
  filters?: readonly FilterDefinition[] | undefined;
  /** The attribute whose instant is the entity's expiry. */
  expires?: { attribute: string } | undefined;
  /**
   * The ranking whose index key is on the entity's own item, so that one update changes both; other rankings have rows.
   */
  ownRanking?: string | undefined;
  /** Incremented by each change, for ETags. */
  version: number;
  /** Incremented by each change of the rows of entities. An entity stores the layout of its last write. */
  layout: number;
  /** The layout that all entities have reached. */
  built: number;
  /** In their order; migrations of built layouts have been applied to all entities. */
  steps?: readonly MigrationStep[] | undefined;
  /** Epoch milliseconds. */
  createdAt: number;
  changedAt: number;
  /**
   * Rejects new entities until this time (epoch milliseconds): a deletion or a change of the attributes is about to
   * begin.
   */
  closing?: { by: string; until: number } | undefined;
  /** Deleted: kept so that the version and layout of a new type of this name are higher. */
  gone?: boolean | undefined;
}

export function entityTypeItem(type: EntityType): Document {
  const { name, ...definition } = type;
  // The declaration as plain lists and maps; undefined properties are omitted when it is stored.
  return { ...entityTypeKey(name), ...(definition as unknown as Record<string, DocumentValue>) };
}

/** @throws TypeError when the item is not a type */
export function parseEntityType(item: Document): EntityType {
  const key = parseKey(keyOf(item));
  if (key.item !== 'entityType') throw new TypeError(`a ${key.item}, not a type of entities`);
  const definition = Object.entries(item).filter(([name]) => name !== 'pk' && name !== 'sk');
  return { ...(Object.fromEntries(definition) as unknown as EntityType), name: key.type };
}
