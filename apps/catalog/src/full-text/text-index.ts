import type { EntityName } from '@engawa/keys';
import type { TextRow } from '@engawa/model';
import type { QueryWord } from './words.ts';

/**
 * What a value has to be, in the form of filter-keys.ts: one of the values, or beyond the one value; `present` has
 * none.
 */
export interface ValueFilter {
  name: string;
  is: 'present' | 'oneOf' | 'above' | 'atLeast' | 'below' | 'atMost';
  values: readonly string[];
}

export interface HitOrder {
  /** By the values of this name; entities without one come last. */
  name: string;
  descending: boolean;
}

/** Where a hit stands in its order; equal hits are in the order of their types and ids. */
export interface HitPosition {
  entity: EntityName;
  /** By rank: as the engine has it. */
  score?: number | undefined;
  /** By a value: null where the entity has none. */
  value?: string | null | undefined;
}

/** Which entities are found. */
export interface TextCriteria {
  /** All of them have to be in the texts of an entity; with none, entities without texts are found as well. */
  words: readonly QueryWord[];
  /** Whether those that may differ count where they do. */
  lenient: boolean;
  /** Entities of these types; of all, where there are none. */
  types: readonly string[];
  /** All of them have to hold. */
  filters: readonly ValueFilter[];
}

export interface TextQuery extends TextCriteria {
  /** Without it, by rank where there are words, and else by type and id. */
  order: HitOrder | undefined;
  /** The last hit of the page before. */
  after: HitPosition | undefined;
  limit: number;
  /** Whether to count all that is found. */
  total: boolean;
  /** Names of values to count by. */
  facets: readonly string[];
  signal: AbortSignal;
}

export interface FoundEntity extends HitPosition {
  /** By rank: higher is better; of meaning only beside others of the same answer. */
  shownScore?: number | undefined;
}

/** How often values are among all that is found: the most frequent first, of those that are equal the lesser one. */
export interface Facet {
  name: string;
  values: readonly { value: string; count: number }[];
  /** Entities that have another value. */
  others: number;
}

/** Values of a facet that are counted each. */
export const maxFacetValues = 50;

export interface TextAnswer {
  found: readonly FoundEntity[];
  total?: number | undefined;
  facets?: readonly Facet[] | undefined;
}

/**
 * What takes changes, those of an entity in the order in which they were made; the same again do no harm. `readAt` is when
 * they were looked for (epoch milliseconds): what was read later counts, whoever sends what was read before.
 */
export interface TextWriter {
  apply(changes: readonly TextRow[], readAt: number): Promise<void>;
}

/** Finds entities by words. It stands beside the table, and can be built from it at any time. */
export interface TextIndex extends TextWriter {
  /** @throws Problem `full-text-unavailable`, and the reason of a signal that aborts */
  search(question: TextQuery): Promise<TextAnswer>;
  /** @throws TextIndexLost, TextIndexFull */
  apply(changes: readonly TextRow[], readAt: number): Promise<void>;
  /** Whether there is one that only lacks what changed since. */
  exists(): Promise<boolean>;
  /** Deletes what builds left that did not come to their end; asked by the replica whose turn begins. */
  deleteUnfinishedBuilds(): Promise<void>;
  /** An empty one, which is not searched until it takes the place of the other. */
  beginBuild(): Promise<TextIndexBuild>;
  /** Entities in it, as far as this replica knows. */
  readonly documents: number;
  /** Of its files on this replica's disk; 0 where it is elsewhere. */
  readonly bytes: number;
}

export interface TextIndexBuild extends TextWriter {
  activate(): Promise<void>;
}

/** It is not there any more: it has to be built again. */
export class TextIndexLost extends Error {
  override readonly name = 'TextIndexLost';
}

/** It has reached its limit on disk and has been deleted: the live index, or the one that was being built. */
export class TextIndexFull extends Error {
  override readonly name = 'TextIndexFull';
  readonly live: boolean;

  constructor(reason: string, { live }: { live: boolean }) {
    super(reason);
    this.live = live;
  }
}
