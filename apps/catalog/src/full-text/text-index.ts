import { invariant } from '@engawa/errors';
import type { EntityName } from '@engawa/keys';
import type { TextRow } from '@engawa/model';
import type { QueryWord } from './words.ts';

/** A filter that types declare. */
export interface FilterName {
  name: string;
  /** Whether its attribute is a set: an entity may have several values. */
  isSet: boolean;
}

/**
 * A condition on encoded values (filter-keys.ts): equal to one of `values`, or to none of them, or compared with the
 * only one; `present` and `absent` have none. A set meets a condition if a member does; `noneOf` is the opposite of
 * `oneOf`, and includes entities without a value.
 */
export interface ValueFilter extends FilterName {
  is:
    | 'present'
    | 'absent'
    | 'oneOf'
    | 'oneOfOrAbsent'
    | 'noneOf'
    | 'above'
    | 'atLeast'
    | 'below'
    | 'atMost';
  values: readonly string[];
}

/** The value that a filter compares with. */
export function comparedWith({ values }: ValueFilter): string {
  return invariant(values[0], 'a filter that compares has a value');
}

export interface HitOrder {
  /** Name of the filter, which is no set; entities without a value come last. */
  name: string;
  descending: boolean;
}

/** The position of a hit in the order; equal hits are sorted by type and id. */
export interface HitPosition {
  entity: EntityName;
  /** When sorted by relevance: the engine's score. */
  score?: number | undefined;
  /** When sorted by a value; null where the entity has none. */
  value?: string | null | undefined;
}

/** Which entities match. */
export interface TextCriteria {
  /** All have to occur in the texts of an entity; without words, entities without texts match, too. */
  words: readonly QueryWord[];
  /** Whether `fuzzy` words also match words that differ in one letter. */
  lenient: boolean;
  /** Entities of these types; empty: of all. */
  types: readonly string[];
  /** All have to match. */
  filters: readonly ValueFilter[];
}

export interface TextQuery extends TextCriteria {
  /** Default: by relevance where there are words, else by type and id. */
  order: HitOrder | undefined;
  /** The last hit of the previous page. */
  after: HitPosition | undefined;
  limit: number;
  /** Whether to count all matches. */
  total: boolean;
  /** The filters whose values are counted. */
  facets: readonly FilterName[];
  /** Whether the counts of a facet leave out the filters of its own name. */
  multiSelect: boolean;
  signal: AbortSignal;
}

export interface FoundEntity extends HitPosition {
  /** When sorted by relevance: higher is better; comparable only within one response. */
  shownScore?: number | undefined;
}

/** The number of matches per value, the most frequent first, then by value; a set counts once for each member. */
export interface Facet {
  name: string;
  values: readonly { value: string; count: number }[];
  /** Matches with other values. */
  others: number;
}

/** The filters of a query: `own` are those that a multi-select facet of their name leaves out. */
export function splitFilters({
  filters,
  facets,
  multiSelect,
}: Pick<TextQuery, 'filters' | 'facets' | 'multiSelect'>): {
  own: ValueFilter[];
  others: ValueFilter[];
} {
  const names = new Set(multiSelect ? facets.map(({ name }) => name) : []);
  return {
    own: filters.filter(({ name }) => names.has(name)),
    others: filters.filter(({ name }) => !names.has(name)),
  };
}

/** Values of a facet in a response. */
export const maxFacetValues = 50;

export interface TextResult {
  found: readonly FoundEntity[];
  total?: number | undefined;
  facets?: readonly Facet[] | undefined;
}

/**
 * Applies changes; the changes of one entity in order; repeated changes are harmless. `readAt` is the time of the
 * read (epoch milliseconds): a change read later wins, whichever replica sends it.
 */
export interface TextWriter {
  apply(changes: readonly TextRow[], readAt: number): Promise<void>;
}

/** A full-text index: derived from the table, and can be rebuilt at any time. */
export interface TextIndex extends TextWriter {
  /** @throws Problem `full-text-unavailable`, or the abort reason of the signal */
  search(query: TextQuery): Promise<TextResult>;
  /** @throws TextIndexLost, TextIndexFull */
  apply(changes: readonly TextRow[], readAt: number): Promise<void>;
  /** Whether there is a complete index, which lacks recent changes at most. */
  exists(): Promise<boolean>;
  /** Deletes the remains of unfinished builds; called by the replica that acquires the lease. */
  deleteUnfinishedBuilds(): Promise<void>;
  /** Creates an empty index, which is not searched before `activate`. */
  beginBuild(): Promise<TextIndexBuild>;
  /** Number of entities, as far as this replica knows. */
  readonly documents: number;
  /** Size on this replica's disk; 0 where the index is elsewhere. */
  readonly bytes: number;
}

export interface TextIndexBuild extends TextWriter {
  activate(): Promise<void>;
}

/** The index is lost and has to be rebuilt. */
export class TextIndexLost extends Error {
  override readonly name = 'TextIndexLost';
}

/** The index being built was deleted, since the disk is full. The live index is as it was. */
export class TextBuildFailed extends Error {
  override readonly name = 'TextBuildFailed';
}

/** The index has reached its maximum size on disk and was deleted: the live index, or the one being built. */
export class TextIndexFull extends Error {
  override readonly name = 'TextIndexFull';
  readonly live: boolean;

  constructor(reason: string, { live }: { live: boolean }) {
    super(reason);
    this.live = live;
  }
}
