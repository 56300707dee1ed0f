import { Decimal, parseNumber, UnfitNumber } from '@engawa/model';
import { UnfitValue } from '../refusals/unfit-value.ts';
import type { ExactNumber, Quantity } from '@engawa/model';

export type { Quantity };

/** A quantity of the device, or of one of its components: `power`, `switch:1.power`. */
export type QuantityName = Quantity | `${string}.${Quantity}`;

/** Maps a value of the payload to a quantity. */
export interface NamedQuantity {
  /** Path of the value in the payload. */
  path: readonly string[];
  /** Depends only on the path, never on other values of the message (docs/adr/0030). */
  name: QuantityName;
  /** In the unit of the quantity. */
  value: unknown;
}

type PayloadFields = Readonly<Record<string, unknown>>;

/** The fields, with each value that is a quantity moved to the name of the quantity. */
export function nameQuantities(
  fields: PayloadFields,
  quantities: readonly NamedQuantity[],
): PayloadFields {
  if (quantities.length === 0) return fields;
  const paths = quantities.map(({ path }) => path);
  const named = quantities.map(({ name, value }) => [name, value] as const);
  return uniqueFields([...Object.entries(without(fields, paths)), ...named]);
}

/** None of several values with the same name can be stored: its meaning would be ambiguous. */
export function uniqueFields(entries: readonly (readonly [string, unknown])[]): PayloadFields {
  // fromEntries, because an assignment would treat `__proto__` as the prototype.
  const fields = Object.fromEntries(entries);
  if (Object.keys(fields).length === entries.length) return fields;
  const byName = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    Array.from(byName, ([name, [first, ...others]]) => {
      return [name, others.length === 0 ? first?.[1] : new UnfitValue('field-twice')];
    }),
  );
}

function without(fields: PayloadFields, paths: readonly (readonly string[])[]): PayloadFields {
  const kept = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const beneath = paths.filter(([first]) => first === name);
    if (beneath.length === 0) return [[name, value]];
    const inner = beneath.map((path) => path.slice(1));
    if (inner.some((path) => path.length === 0)) return [];
    const rest = without(value as PayloadFields, inner);
    // An object without any rest is not an empty object of the payload, which is stored as null.
    return Object.keys(rest).length === 0 ? [] : [[name, rest]];
  });
  return Object.fromEntries(kept);
}

/** The own property at the path, never an inherited one. */
export function valueAt(fields: unknown, path: readonly string[]): unknown {
  let value = fields;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as PayloadFields)[name];
  }
  return value;
}

/** A measurement: one of our number classes, or null if the device has no value now. */
export function isMeasured(value: unknown): boolean {
  return value === null || typeof value === 'number' || isOurs(value);
}

/** RFC 8259, section 6. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Whether a text is a number of JSON: no leading zeros, no decimal comma, no unit. */
export function isNumberText(text: string): boolean {
  return jsonNumber.test(text);
}

/**
 * The number in a text of a decoder whose devices report numbers as texts; any other value unchanged. A text of more
 * digits than can be stored stays a text.
 */
export function numberOf(value: unknown): unknown {
  if (typeof value !== 'string' || !isNumberText(value)) return value;
  const number = exact(value);
  return number instanceof UnfitNumber ? value : number;
}

function isOurs(value: unknown): value is Decimal | UnfitNumber {
  return value instanceof Decimal || value instanceof UnfitNumber;
}

/** The exact number of a literal, or the reason why it cannot be stored. */
export function exact(literal: string): ExactNumber | UnfitNumber {
  try {
    return parseNumber(literal);
  } catch (error) {
    return new UnfitNumber((error as Error).message);
  }
}

/** `value` × 10^`exponent`, exactly; other values than numbers are returned unchanged. */
export function shift(value: unknown, exponent: number): unknown {
  if (typeof value !== 'number' && !(value instanceof Decimal)) return value;
  const { digits, exponent: own } = partsOf(value);
  return exact(`${digits}e${own + exponent}`);
}

/** The exact product, if it has few enough digits to be stored. */
export function product(...factors: readonly ExactNumber[]): ExactNumber | UnfitNumber {
  const parts = factors.map(partsOf);
  const digits = parts.reduce((all, factor) => all * factor.digits, 1n);
  return exact(`${digits}e${parts.reduce((sum, { exponent }) => sum + exponent, 0)}`);
}

/** The value as `digits` × 10^`exponent`. */
function partsOf(value: ExactNumber): { digits: bigint; exponent: number } {
  const [mantissa = '0', exponent = '0'] = String(value).split(/e/i);
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
