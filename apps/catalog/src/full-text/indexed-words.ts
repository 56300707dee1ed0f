import { compareBytes } from '@engawa/keys';
import { wordsOf } from './words.ts';
import type { TextRow } from '@engawa/model';
import type { IndexedRow } from './filter-keys.ts';

/** UTF-16 units of an entity's texts that are indexed; longer texts would delay other searches. */
export const maxTextUnits = 65_536;

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

/**
 * The joined texts, each truncated at a character boundary to its share. DynamoDB returns maps in any order: sorted,
 * all replicas index the same words.
 */
export function indexedText(texts: ReadonlyMap<string, string>): string {
  const share = shareOf(texts);
  const sorted = [...texts].toSorted(([left], [right]) => compareBytes(left, right));
  return sorted.map(([, text]) => text.slice(0, share).toWellFormed()).join('\n');
}

/** The UTF-16 units that are indexed of each attribute whose text is longer. */
export function unindexedTexts(texts: ReadonlyMap<string, string>): Map<string, number> {
  const share = shareOf(texts);
  const longer = [...texts].filter(([, text]) => text.length > share);
  return new Map(longer.map(([name]) => [name, share]));
}

/** Equal shares of the maximum for the texts that do not fit; a shorter text leaves its rest to the others. */
function shareOf(texts: ReadonlyMap<string, string>): number {
  const lengths = [...texts.values()].map(({ length }) => length).toSorted((a, b) => a - b);
  let left = maxTextUnits;
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return maxTextUnits;
}
