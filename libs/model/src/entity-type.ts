import { entityTypeKey, parseKey } from '@engawa/keys';
import { keyOf } from './place.ts';
import type { Document, DocumentValue } from './item-size.ts';

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

/** What a set has: members of one kind, each once. */
export const memberKinds = ['text', 'number'] as const;
export type MemberKind = (typeof memberKinds)[number];

/** How a part of a search is sorted and found: `collated` is text without regard to case and width. */
export const encodings = ['text', 'collated', 'number', 'instant', 'boolean'] as const;
export type Encoding = (typeof encodings)[number];

export interface AttributeDefinition {
  name: string;
  kind: AttributeKind;
  required: boolean;
  /** Of a set, and of nothing else. */
  of?: MemberKind | undefined;
  /** Of an instant: written by the service when the entity is created, or with each change of it. */
  automatic?: 'created' | 'updated' | undefined;
  /** No two entities of the type have the same value of it (docs/adr/0071). */
  unique?: boolean | undefined;
}

export interface RelationDefinition {
  name: string;
  /** The type of the other entity, or entities. */
  to: string;
  many: boolean;
  /** Of a relation to many: what is said of it to each of the other entities. */
  attributes?: readonly LinkAttributeDefinition[] | undefined;
}

export const linkAttributeKinds = ['text', 'number', 'boolean', 'instant'] as const;

export interface LinkAttributeDefinition {
  name: string;
  kind: (typeof linkAttributeKinds)[number];
  required: boolean;
}

/** What a search composes: an attribute in its encoding, or the id of the entity that a relation to one leads to. */
export type SearchPart = { attribute: string; as: Encoding } | { relation: string };

/** Entities that have a value for each part, in the order of those values, then of their ids. */
export interface SearchDefinition {
  name: string;
  parts: readonly SearchPart[];
  /** The layout of the type from which on it is as it is: it may be asked once that is built. */
  layout: number;
}

/** Entities in the order of a number or an instant, the first of them rank 1. */
export interface RankingDefinition {
  name: string;
  attribute: string;
  direction: 'ascending' | 'descending';
  /** A relation to one: each entity that it leads to has a ranking of its own, of those that relate to it. */
  within?: string | undefined;
  layout: number;
}

/** What hits of the full-text search are filtered, ordered and counted by. */
export type FilterDefinition = SearchPart & {
  /** The layout of the type from which on all entities have it in the index. */
  layout: number;
};

/**
 * What entities that were written under an earlier layout than this go through to be as their type
 * has them now (docs/adr/0066). `rename` and `remove` are of an attribute or a relation, `widen` is
 * of a relation, the others of an attribute.
 */
export type MigrationStep = { layout: number } & (
  | { step: 'rename'; from: string; to: string }
  | { step: 'remove'; name: string }
  | { step: 'widen'; name: string }
  | { step: 'convert'; name: string; to: AttributeKind }
  | { step: 'fill'; name: string }
);

/** A type of entities, as a user declares it. A name stands for a search or a ranking, not for both. */
export interface EntityType {
  name: string;
  attributes: readonly AttributeDefinition[];
  relations: readonly RelationDefinition[];
  searches: readonly SearchDefinition[];
  rankings: readonly RankingDefinition[];
  /** Attributes of kind text, or sets of texts, that the full-text search looks into. */
  fullText: readonly string[];
  /** Whether entities may have attributes that are not declared, of any JSON. */
  additional?: boolean | undefined;
  /** Absent where there are none. */
  filters?: readonly FilterDefinition[] | undefined;
  /** An entity is deleted soon after the instant that it has in this attribute. */
  expires?: { attribute: string } | undefined;
  /** The ranking whose index key is on the entity's own item, so that one update changes it; the others have rows. */
  ownRanking?: string | undefined;
  /** Raised by each change, for ETags. */
  version: number;
  /** Raised by each change of what rows the entities have. An entity carries that under which it was written. */
  layout: number;
  /** The layout that all entities have. */
  built: number;
  /** In their order; those of layouts that are built have been taken by all entities. */
  steps?: readonly MigrationStep[] | undefined;
  /** Epoch milliseconds. */
  createdAt: number;
  changedAt: number;
  /**
   * Takes no new entities until then (epoch milliseconds): somebody is about to delete it, or to
   * change what they hold.
   */
  closing?: { by: string; until: number } | undefined;
  /** Deleted: kept so that its next version and layout are higher ones. */
  gone?: boolean | undefined;
}

export function entityTypeItem(type: EntityType): Document {
  const { name, ...definition } = type;
  // Lists and maps of plain values, all of it: what is undefined is left out when it is stored.
  return { ...entityTypeKey(name), ...(definition as unknown as Record<string, DocumentValue>) };
}

/** @throws TypeError when the item is not a type */
export function parseEntityType(item: Document): EntityType {
  const key = parseKey(keyOf(item));
  if (key.item !== 'entityType') throw new TypeError(`a ${key.item}, not a type of entities`);
  const definition = Object.entries(item).filter(([name]) => name !== 'pk' && name !== 'sk');
  return { ...(Object.fromEntries(definition) as unknown as EntityType), name: key.type };
}
