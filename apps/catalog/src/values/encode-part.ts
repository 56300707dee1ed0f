import {
  byteLength,
  collated,
  cutToFit,
  encodeSegment,
  exactNumber,
  KeyError,
  normalText,
  number,
  parseInstant,
} from '@engawa/keys';
import { Decimal } from '@engawa/model';
import type { Encoding, RankingDefinition, ScalarValue, SearchPart } from '@engawa/model';

/** Parts of a search. */
export const maxParts = 4;

/** Bytes of a sort key (1,024) without an id of 128 characters of 3 bytes and the separator before it. */
const bytesForParts = 1024 - 1 - 3 * 128;

/**
 * Bytes of encoded parts; a number beyond double precision takes 17 more, which ids of full length may leave no room
 * for.
 */
const fixedBytes: Partial<Record<Encoding, number>> = { number: 16, instant: 24, boolean: 5 };

/**
 * Maximum bytes of an encoded text in a search with these parts: equal shares of what fixed-size parts leave. It
 * depends only on the definition, so that equal texts have equal encodings.
 */
export function textBytes(parts: readonly SearchPart[]): number {
  const fixed = parts.map((part) => ('as' in part ? (fixedBytes[part.as] ?? 0) : 0));
  const taken = fixed.reduce((sum, bytes) => sum + bytes, parts.length - 1);
  const texts = fixed.filter((bytes) => bytes === 0).length;
  return Math.floor((bytesForParts - taken) / Math.max(1, texts));
}

/**
 * Encodes one part of a search as a segment of its sort key. Collated text longer than `bytes` is truncated, so an
 * equality search has to compare the values again.
 * @throws KeyError naming `field` where a text is too long to be searched
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
      return searchableText(field, normalText(field, String(value)), bytes);
  }
}

/**
 * Encodes a member of a set, without truncation: two members with the same beginning would get the same row.
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
  throw new KeyError(field, `has a member of ${length} bytes, at most ${bytes} are searchable`);
}

/** Encodes the value of a ranking: in ascending key order rank 1 comes first, equal values by id. @throws KeyError */
export function encodeRank(
  { direction }: Pick<RankingDefinition, 'direction'>,
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
    `has ${length} bytes, at most ${bytes} are searchable; collated text may be longer`,
  );
}
