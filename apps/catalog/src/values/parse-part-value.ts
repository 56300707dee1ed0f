import { absoluteTime, localTimeOf, relativeTime, resolveTime } from '@engawa/http';
import { collated, id, instant, KeyError, normalText } from '@engawa/keys';
import { parseNumber } from '@engawa/model';
import { partName } from './part-values.ts';
import { instantValue, millisecondsOf } from './instant-value.ts';
import type { ScalarValue, SearchPart } from '@engawa/model';

/** RFC 8259, section 6. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** Characters; a longer number has more digits than can be searched. */
const maxNumberLength = 100;

/** What times in a parameter refer to. */
export interface PartTimes {
  /** Of dates and local times. */
  timeZone: string;
  /** Epoch milliseconds of `now`, the same for all pages of a list; where it is absent, `now` is refused. */
  now?: () => number;
}

/**
 * Parses a query parameter as the value of a part.
 * @throws KeyError naming `field`
 */
export function parsePartValue(
  part: SearchPart,
  field: string,
  text: string,
  times: PartTimes,
): ScalarValue {
  if ('relation' in part) return id(field, text);
  switch (part.as) {
    case 'number':
      return numberOf(field, text);
    case 'instant':
      return instantOf(field, text, times);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new KeyError(field, 'must be true or false');
      return text === 'true';
    case 'text':
    case 'collated':
      return normalText(field, text);
  }
}

/** Whether a part can be searched by prefix. */
export function isTextPart(part: SearchPart): boolean {
  return 'as' in part && (part.as === 'text' || part.as === 'collated');
}

/** Whether the index may have a truncated value, so that the stored value has to be compared. */
export function isTruncatedPart(part: SearchPart): boolean {
  return 'relation' in part || isTextPart(part);
}

/** The compared form of a text, not truncated. */
export function comparable(part: SearchPart, value: ScalarValue): string {
  const text = String(value);
  const isCollated = 'as' in part && part.as === 'collated';
  return isCollated ? collated(part.attribute, text) : normalText(partName(part), text);
}

function numberOf(field: string, text: string): ScalarValue {
  if (text.length > maxNumberLength || !jsonNumber.test(text)) {
    throw new KeyError(field, 'must be a JSON number');
  }
  try {
    return parseNumber(text);
  } catch (error) {
    if (error instanceof RangeError) throw new KeyError(field, `is ${error.message}`);
    throw error;
  }
}

function instantOf(field: string, text: string, { timeZone, now }: PartTimes): string {
  const milliseconds = millisecondsOf(text);
  if (milliseconds !== undefined) return instantValue(field, milliseconds);
  const given = localTimeOf(text) ?? absoluteTime(text);
  if (given !== undefined) return instant(field, resolveTime(given, { now: NaN, timeZone }, field));
  const relative = relativeTime(text);
  if (relative === undefined || now === undefined) {
    const forms = 'an ISO-8601 time or date, or epoch milliseconds';
    throw new KeyError(field, `must be ${forms}${now ? ', or now, now-15m, now+30d' : ''}`);
  }
  return instant(field, resolveTime(relative, { now: now(), timeZone }, field));
}
