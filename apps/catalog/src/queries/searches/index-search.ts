import {
  attributePrefix,
  attributeRange,
  attributeTextPrefix,
  byteLength,
  compareBytes,
  cutToFit,
  encodeSegment,
  KeyError,
} from '@engawa/keys';
import { encodePart, textBytes } from '../../values/encode-part.ts';
import { partName } from '../../values/part-values.ts';
import { comparable, isTruncatedPart } from '../../values/parse-part-value.ts';
import type { ScalarValue, SearchPart } from '@engawa/model';
import type { QueryRequest } from '@engawa/table';

/** A condition on a part of a search. */
export interface Condition {
  is: 'equal' | 'prefix' | 'from' | 'to';
  part: SearchPart;
  /** Path of the value in the request, such as `query.eq[0]`. */
  field: string;
  value: ScalarValue;
}

/** The index query of a search. */
export interface IndexSearch {
  range: QueryRequest['sk'];
  /** No entity can match, so no query is needed. */
  matchesNothing: boolean;
  /** Whether the index has truncated values, so that its rows have to be filtered with `keeps`. */
  isTruncated: boolean;
  keeps: (values: ReadonlyMap<string, ScalarValue>) => boolean;
  /** Equal for equal searches, regardless of spelling. */
  canonical: string[][];
}

/** Sorts after every other character. */
const lastCharacter = '\u{10ffff}';

/**
 * @param conditions on the leading parts, in order: equal ones first
 * @throws KeyError naming the field of a value that cannot be searched
 */
export function indexSearch(
  parts: readonly SearchPart[],
  conditions: readonly Condition[],
): IndexSearch {
  const bytes = textBytes(parts);
  const encoded = conditions.map((condition) => encode(condition, bytes));
  refuseBackward(encoded);
  return {
    range: rangeOf(encoded),
    matchesNothing: encoded.some(({ matchesNothing }) => matchesNothing),
    isTruncated: encoded.some(({ isTruncated }) => isTruncated),
    keeps: (values) => encoded.every(({ condition, whole }) => holds(condition, whole, values)),
    canonical: encoded.map(({ condition, whole }) => [condition.is, whole]),
  };
}

interface Encoded {
  condition: Condition;
  /** The compared form of the value, not truncated. */
  whole: string;
  /** The segment of the sort key; text is truncated to the size of a part. */
  segment: string;
  isTruncated: boolean;
  matchesNothing: boolean;
}

function encode(condition: Condition, bytes: number): Encoded {
  const { part, is } = condition;
  const whole = wholeOf(condition);
  // Truncation ends before a character that does not fit, so it may be up to three bytes short.
  const maxPartBytes = is === 'from' ? bytes - 3 : bytes;
  const isTruncated = isTruncatedPart(part) && byteLength(encodeSegment(whole)) > maxPartBytes;
  const isCollated = 'as' in part && part.as === 'collated';
  const beginning = isTruncated ? cutToFit(whole, maxPartBytes) : whole;
  return {
    condition,
    whole,
    // The range includes all texts with the truncated prefix; `keeps` filters them.
    segment: isTruncated && is === 'to' ? beginning + lastCharacter : beginning,
    isTruncated,
    // Writing an entity with such a long text was refused.
    matchesNothing: isTruncated && !isCollated && (is === 'equal' || is === 'prefix'),
  };
}

/** The compared form of the value, not truncated. @throws KeyError */
function wholeOf({ part, field, value }: Condition): string {
  return isTruncatedPart(part)
    ? comparable(part, value)
    : encodePart(part, { field, value, bytes: 0 });
}

/** DynamoDB rejects a range whose end is before its start. */
function refuseBackward(encoded: readonly Encoded[]): void {
  const from = encoded.find(({ condition }) => condition.is === 'from');
  const to = encoded.find(({ condition }) => condition.is === 'to');
  if (from === undefined || to === undefined || compareBytes(from.whole, to.whole) <= 0) return;
  throw new KeyError(to.condition.field, `must not be before ${from.condition.field}`);
}

function rangeOf(encoded: readonly Encoded[]): QueryRequest['sk'] {
  const segmentOf = (kind: Condition['is']) =>
    encoded.find(({ condition }) => condition.is === kind)?.segment;
  const equal = encoded
    .filter(({ condition }) => condition.is === 'equal')
    .map(({ segment }) => segment);
  const [prefix, from, to] = [segmentOf('prefix'), segmentOf('from'), segmentOf('to')];
  if (prefix !== undefined) return { beginsWith: attributeTextPrefix(equal, prefix) };
  if (from !== undefined || to !== undefined) return attributeRange(equal, { from, to });
  return equal.length === 0 ? undefined : { beginsWith: attributePrefix(equal) };
}

/** Only texts and ids are truncated; other index values are exact. */
function holds(
  { is, part }: Condition,
  whole: string,
  values: ReadonlyMap<string, ScalarValue>,
): boolean {
  if (!isTruncatedPart(part)) return true;
  const value = values.get(partName(part));
  if (value === undefined) return false;
  const text = comparable(part, value);
  switch (is) {
    case 'equal':
      return text === whole;
    case 'prefix':
      return text.startsWith(whole);
    case 'from':
      return compareBytes(text, whole) >= 0;
    case 'to':
      return compareBytes(text, whole) <= 0;
  }
}
