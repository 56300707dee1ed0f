import { entityTypeKey, parseKey } from '@engawa/keys';
import { keyOf } from './place.ts';
import type { Document, DocumentValue } from './item-size.ts';

export const attributeKinds = ['text', 'number', 'boolean', 'instant'] as const;
export type AttributeKind = (typeof attributeKinds)[number];

/** How a part of a search is sorted and found: `collated` is text without regard to case and width. */
export const encodings = ['text', 'collated', 'number', 'instant', 'boolean'] as const;
export type Encoding = (typeof encodings)[number];

export interface AttributeDefinition {
  name: string;
  kind: AttributeKind;
  required: boolean;
  /** Of an instant: written by the service when the entity is created, or with each change of it. */
  automatic?: 'created' | 'updated' | undefined;
}

export interface RelationDefinition {
  name: string;
  /** The type of the other entity, or entities. */
  to: string;
  many: boolean;
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
  layout: number;
}

/** A type of entities, as a user declares it. A name stands for a search or a ranking, not for both. */
export interface EntityType {
  name: string;
  attributes: readonly AttributeDefinition[];
  relations: readonly RelationDefinition[];
  searches: readonly SearchDefinition[];
  rankings: readonly RankingDefinition[];
  /** Attributes of kind text that the full-text search looks into. */
  fullText: readonly string[];
  /** The ranking whose index key is on the entity's own item, so that one update changes it; the others have rows. */
  ownRanking?: string | undefined;
  /** Raised by each change, for ETags. */
  version: number;
  /** Raised by each change of what rows the entities have. An entity carries that under which it was written. */
  layout: number;
  /** The layout that all entities have. */
  built: number;
  /** Epoch milliseconds. */
  createdAt: number;
  changedAt: number;
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
