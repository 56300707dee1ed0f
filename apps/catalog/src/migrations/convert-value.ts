import { KeyError } from '@engawa/keys';
import { Decimal, parseNumber, parseTime } from '@engawa/model';
import { instantValue, millisecondsOf } from '../values/instant-value.ts';
import type { AttributeKind, AttributeValue } from '@engawa/model';

/** RFC 8259, section 6: what the API takes as a number. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The kinds that each kind can be converted to; single values may not be convertible. */
const convertible: Partial<Record<AttributeKind, readonly AttributeKind[]>> = {
  text: ['number', 'boolean', 'instant'],
  number: ['text', 'boolean', 'instant'],
  boolean: ['text', 'number'],
  instant: ['text', 'number'],
};

export function isConvertible(from: AttributeKind, to: AttributeKind): boolean {
  return convertible[from]?.includes(to) === true;
}

/**
 * Converts a value to another kind; a value of that kind is unchanged.
 * @returns undefined where it cannot be converted exactly
 */
export function convertValue(value: AttributeValue, to: AttributeKind): AttributeValue | undefined {
  switch (to) {
    case 'text':
      return textOf(value);
    case 'number':
      return numberOf(value);
    case 'boolean':
      return booleanOf(value);
    case 'instant':
      return instantOf(value);
    default:
      return undefined;
  }
}

/** A number becomes its digits, a boolean `true` or `false`; an instant is stored as ISO-8601. */
function textOf(value: AttributeValue): string | undefined {
  if (typeof value === 'string') return value;
  const isPlain =
    typeof value === 'number' || typeof value === 'boolean' || value instanceof Decimal;
  return isPlain ? String(value) : undefined;
}

/** A numeric text becomes its value, an instant epoch milliseconds, true 1 and false 0. */
function numberOf(value: AttributeValue): AttributeValue | undefined {
  if (typeof value === 'number' || value instanceof Decimal) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (!jsonNumber.test(text)) return isoTime.test(text) ? parseTime(text) : undefined;
  try {
    return parseNumber(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The stored form of an instant. */
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function booleanOf(value: AttributeValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = textOf(value)?.trim().toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

/** A number and a numeric text are epoch milliseconds. */
function instantOf(value: AttributeValue): string | undefined {
  const text = textOf(value)?.trim();
  if (text === undefined || typeof value === 'boolean') return undefined;
  try {
    return instantValue('time', millisecondsOf(text) ?? text);
  } catch (error) {
    if (error instanceof KeyError) return undefined;
    throw error;
  }
}
