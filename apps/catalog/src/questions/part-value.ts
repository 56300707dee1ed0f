import { collated, id, instant, KeyError, normalText } from '@engawa/keys';
import { parseNumber, parseTime } from '@engawa/model';
import type { AttributeValue, SearchPart } from '@engawa/model';

/** RFC 8259, section 6. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** Characters; what is longer has more digits than can be searched. */
const longestNumber = 100;

/** The value that a text of the query stands for. @throws KeyError naming `field` */
export function partValue(part: SearchPart, field: string, text: string): AttributeValue {
  if ('relation' in part) return id(field, text);
  switch (part.as) {
    case 'number':
      return numberOf(field, text);
    case 'instant':
      return instantOf(field, text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new KeyError(field, 'must be true or false');
      return text === 'true';
    case 'text':
    case 'collated':
      return normalText(field, text);
  }
}

/** Whether a part is found by a beginning of it. */
export function isTextPart(part: SearchPart): boolean {
  return 'as' in part && (part.as === 'text' || part.as === 'collated');
}

/** Whether the index may hold less of a value than there is, so that it has to be looked at again. */
export function isCutPart(part: SearchPart): boolean {
  return 'relation' in part || isTextPart(part);
}

/** Text as its part compares it, whole. */
export function comparable(part: SearchPart, value: AttributeValue): string {
  const text = String(value);
  return 'as' in part && part.as === 'collated' ? collated(part.attribute, text) : text;
}

function numberOf(field: string, text: string): AttributeValue {
  if (text.length > longestNumber || !jsonNumber.test(text)) {
    throw new KeyError(field, 'must be a number, as JSON has it');
  }
  try {
    return parseNumber(text);
  } catch (error) {
    if (error instanceof RangeError) throw new KeyError(field, `is ${error.message}`);
    throw error;
  }
}

function instantOf(field: string, text: string): string {
  const time = parseTime(jsonNumber.test(text) ? Number(text) : text);
  if (time === undefined) {
    throw new KeyError(field, 'must be an ISO-8601 time, or epoch milliseconds');
  }
  return instant(field, time);
}
