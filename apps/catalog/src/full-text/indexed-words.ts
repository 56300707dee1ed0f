import { wordsOf } from './words.ts';
import type { TextRow } from '@engawa/model';
import type { IndexedRow } from './filter-keys.ts';

/** UTF-16 units of an entity's texts that are indexed; the rest of a longer text would delay other searches. */
const maxTextUnits = 65_536;

/**
 * The words of an entity's texts, joined by spaces: what every engine indexes, so that the same texts are found in each.
 * @returns undefined where the entity has no texts, so that no word finds it
 */
export function indexedWords({ texts }: Pick<TextRow, 'texts'>): string | undefined {
  if (texts === undefined || texts.size === 0) return undefined;
  return wordsOf(indexedText(texts)).join(' ');
}

/** Whether an entity is to be found at all: by its texts, or by its values where its type has filters. */
export function isIndexed({ texts, keys }: Omit<IndexedRow, 'entity'>): boolean {
  return keys !== undefined || (texts !== undefined && texts.size > 0);
}

/** Texts longer than the limit are cut, between two characters. */
export function indexedText(texts: ReadonlyMap<string, string>): string {
  return [...texts.values()].join('\n').slice(0, maxTextUnits).toWellFormed();
}
