import {
  byteLength,
  collated,
  cutToFit,
  encodeSegment,
  exactNumber,
  KeyError,
  number,
  parseInstant,
} from '@engawa/keys';
import { Decimal } from '@engawa/model';
import type { Encoding, RankingDefinition, ScalarValue, SearchPart } from '@engawa/model';

/** Parts of a search at most. */
export const mostParts = 4;

/** Bytes of a sort key (1,024) without an id of 128 characters of 3 bytes and the separator before it. */
const bytesForParts = 1024 - 1 - 3 * 128;

/** Bytes that a part takes; of a number that no double holds 17 more, for which ids of full length may leave no room. */
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
 * @throws KeyError naming `field` where the value cannot be searched: a text too long
 */
export function encodePart(
  part: SearchPart,
  { field, value, bytes }: { field: string; value: ScalarValue; bytes: number },
): string {
  switch ('as' in part ? part.as : 'text') {
    case 'number':
      return numberSegment(field, value);
    case 'instant':
    case 'boolean':
      return String(value);
    case 'collated':
      return cutToFit(collated(field, String(value)), bytes);
    case 'text':
      return searchableText(field, String(value), bytes);
  }
}

/**
 * The same of a member of a set. None is cut: two that differ behind the cut would be one row.
 * @throws KeyError
 */
export function encodeMember(
  part: SearchPart,
  { field, value, bytes }: { field: string; value: ScalarValue; bytes: number },
): string {
  const isCollated = 'as' in part && part.as === 'collated';
  if (!isCollated) return encodePart(part, { field, value, bytes });
  const text = collated(field, String(value));
  const length = byteLength(encodeSegment(text));
  if (length <= bytes) return text;
  throw new KeyError(field, `has a member of ${length} bytes, at most ${bytes} can be searched`);
}

/** The one segment of a ranking: reading it forward gives rank 1 first, and ties by id. @throws KeyError */
export function encodeRank(
  { direction }: RankingDefinition,
  { field, value }: { field: string; value: ScalarValue },
): string {
  const size = typeof value === 'string' ? parseInstant(field, value) : value;
  return numberSegment(field, direction === 'descending' ? negated(size) : size);
}

function numberSegment(field: string, value: ScalarValue): string {
  return value instanceof Decimal ? exactNumber(field, value.digits) : number(field, Number(value));
}

function negated(value: ScalarValue): ScalarValue {
  if (!(value instanceof Decimal)) return -Number(value);
  const { digits } = value;
  return new Decimal(digits.startsWith('-') ? digits.slice(1) : `-${digits}`);
}

function searchableText(field: string, text: string, bytes: number): string {
  const length = byteLength(encodeSegment(text));
  if (length <= bytes) return text;
  throw new KeyError(
    field,
    `has ${length} bytes, at most ${bytes} can be searched; or as collated`,
  );
}
