import { wordsOf } from './words.ts';
import type { TextRow } from '@engawa/model';
import type { IndexedRow } from './filter-keys.ts';

/** UTF-16 units of an entity's texts that are indexed; longer texts would delay other searches. */
const maxTextUnits = 65_536;

/**
 * The words of an entity's texts, joined by spaces: every engine indexes these, so that all find the same entities.
 * @returns undefined where the entity has no texts
 */
export function indexedWords({ texts }: Pick<TextRow, 'texts'>): string | undefined {
  if (texts === undefined || texts.size === 0) return undefined;
  return wordsOf(indexedText(texts)).join(' ');
}

/** Whether an entity is in the index: it has texts, or its type has filters. */
export function isIndexed({ texts, keys }: Omit<IndexedRow, 'entity'>): boolean {
  return keys !== undefined || (texts !== undefined && texts.size > 0);
}

/** The joined texts, truncated at a character boundary. */
export function indexedText(texts: ReadonlyMap<string, string>): string {
  return [...texts.values()].join('\n').slice(0, maxTextUnits).toWellFormed();
}
