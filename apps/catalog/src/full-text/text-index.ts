import type { EntityName } from '@engawa/keys';
import type { TextRow } from '@engawa/model';
import type { AskedWord } from './words.ts';

export interface TextQuestion {
  /** All of them have to be in the texts of an entity; at least one. */
  words: readonly AskedWord[];
  /** Whether those that may differ count where they do. */
  lenient: boolean;
  /** Entities of these types; of all, where there are none. */
  types: readonly string[];
  limit: number;
  signal: AbortSignal;
}

export interface FoundEntity {
  entity: EntityName;
  /** Higher is better; of meaning only beside others of the same answer. */
  score: number;
}

/**
 * What takes changes, those of an entity in the order in which they were made; the same again do no harm. `readAt` is when
 * they were looked for (epoch milliseconds): what was read later counts, whoever sends what was read before.
 */
export interface TextWriter {
  apply(changes: readonly TextRow[], readAt: number): Promise<void>;
}

/** By what words entities are found: beside the table, and made from it anew at any time. */
export interface TextIndex extends TextWriter {
  /** The best first. @throws Problem `full-text-unavailable` */
  search(question: TextQuestion): Promise<FoundEntity[]>;
  /** @throws TextIndexLost */
  apply(changes: readonly TextRow[], readAt: number): Promise<void>;
  /** Whether there is one that only lacks what changed since. */
  isThere(): Promise<boolean>;
  /** An empty one, which is not searched until it takes the place of the other. */
  beside(): Promise<TextIndexBuild>;
  /** Entities in it, as far as this replica knows. */
  readonly documents: number;
}

export interface TextIndexBuild extends TextWriter {
  takePlace(): Promise<void>;
}

/** It is not there any more: it has to be made anew. */
export class TextIndexLost extends Error {
  override readonly name = 'TextIndexLost';
}
