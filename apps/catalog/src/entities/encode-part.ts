import {
  byteLength,
  collated,
  cutToFit,
  encodeSegment,
  KeyError,
  number,
  parseInstant,
} from '@engawa/keys';
import { Decimal } from '@engawa/model';
import type { AttributeValue, Encoding, RankingDefinition, SearchPart } from '@engawa/model';

/** Parts of a search at most. */
export const mostParts = 4;

/** Bytes of a sort key (1,024) without an id of 128 characters of 3 bytes and the separator before it. */
const bytesForParts = 1024 - 1 - 3 * 128;

/** Bytes that a part of a fixed length takes. */
const fixedBytes: Partial<Record<Encoding, number>> = { number: 16, instant: 24, boolean: 5 };

/**
 * Bytes of the encoded segment that a text may take in a search of these parts: what the others leave, in equal shares. It
 * goes by the definition alone, so that one text has one encoding.
 */
export function textBytes(parts: readonly SearchPart[]): number {
  const fixed = parts.map((part) => ('as' in part ? (fixedBytes[part.as] ?? 0) : 0));
  const taken = fixed.reduce((sum, bytes) => sum + bytes, parts.length - 1);
  const texts = fixed.filter((bytes) => bytes === 0).length;
  return Math.floor((bytesForParts - taken) / Math.max(1, texts));
}

/**
 * One part of a search as a segment of its sort key. Collated text that is longer than `bytes` is cut: who asks for what
 * is equal has to look at the values again.
 * @throws KeyError naming `field` where the value cannot be searched: a text too long, a number of too many digits
 */
export function encodePart(
  part: SearchPart,
  { field, value, bytes }: { field: string; value: AttributeValue; bytes: number },
): string {
  switch ('as' in part ? part.as : 'text') {
    case 'number':
      return number(field, searchableNumber(field, value));
    case 'instant':
    case 'boolean':
      return String(value);
    case 'collated':
      return cutToFit(collated(field, String(value)), bytes);
    case 'text':
      return searchableText(field, String(value), bytes);
  }
}

/** The one segment of a ranking: reading it forward gives rank 1 first, and ties by id. @throws KeyError */
export function encodeRank(
  { direction }: RankingDefinition,
  { field, value }: { field: string; value: AttributeValue },
): string {
  const size =
    typeof value === 'string' ? parseInstant(field, value) : searchableNumber(field, value);
  return number(field, direction === 'descending' ? -size : size);
}

/** A double orders by 15 to 17 digits; with more, two numbers would share a place. */
function searchableNumber(field: string, value: AttributeValue): number {
  if (value instanceof Decimal) {
    throw new KeyError(field, 'has more digits than can be searched: at most 15 to 17');
  }
  return Number(value);
}

function searchableText(field: string, text: string, bytes: number): string {
  const length = byteLength(encodeSegment(text));
  if (length <= bytes) return text;
  throw new KeyError(
    field,
    `has ${length} bytes, at most ${bytes} can be searched; or as collated`,
  );
}
