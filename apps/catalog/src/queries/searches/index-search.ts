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

/** What a part has to be, in the words of the question. */
export interface Condition {
  is: 'equal' | 'prefix' | 'from' | 'to';
  part: SearchPart;
  /** Where the value comes from, such as `query.eq[0]`. */
  field: string;
  value: ScalarValue;
}

/** A search as the index is asked. */
export interface IndexSearch {
  range: QueryRequest['sk'];
  /** Nothing can be found, so nothing need be asked. */
  matchesNothing: boolean;
  /** Whether the index may give what is not meant, so that the values have to be looked at. */
  isTruncated: boolean;
  keeps: (values: ReadonlyMap<string, ScalarValue>) => boolean;
  /** The same for equal questions, whatever their spelling. */
  canonical: string[][];
}

/** Sorts behind every other character. */
const lastCharacter = '\u{10ffff}';

/**
 * @param conditions on the leading parts, in order: equal ones first
 * @throws KeyError naming the field of what cannot be searched
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
  /** As values are compared, all of it. */
  whole: string;
  /** As it stands in a sort key; of text, as much as a part may take. */
  segment: string;
  isTruncated: boolean;
  matchesNothing: boolean;
}

function encode(condition: Condition, bytes: number): Encoded {
  const { part, is } = condition;
  const whole = wholeOf(condition);
  // A text that is cut ends before a character that does not fit: it may lack three bytes of all there are.
  const most = is === 'from' ? bytes - 3 : bytes;
  const isTruncated = isTruncatedPart(part) && byteLength(encodeSegment(whole)) > most;
  const isCollated = 'as' in part && part.as === 'collated';
  const beginning = isTruncated ? cutToFit(whole, most) : whole;
  return {
    condition,
    whole,
    // A text that begins like the bound and goes on in another way may lie before it.
    segment: isTruncated && is === 'to' ? beginning + lastCharacter : beginning,
    isTruncated,
    // No entity has such a text, or it could not have been written.
    matchesNothing: isTruncated && !isCollated && (is === 'equal' || is === 'prefix'),
  };
}

/** The segment that stands for the value, or would if a part could take as many bytes. @throws KeyError */
function wholeOf({ part, field, value }: Condition): string {
  return isTruncatedPart(part)
    ? comparable(part, value)
    : encodePart(part, { field, value, bytes: 0 });
}

/** DynamoDB takes no range whose end is before its beginning. */
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

/** Of what is not text, the index is as good as the values. */
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
