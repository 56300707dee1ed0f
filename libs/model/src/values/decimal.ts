/**
 * Exact numbers. A JSON or DynamoDB number literal becomes a `number` where a double has exactly the same value, and a
 * `Decimal` otherwise; nothing is rounded.
 */

/**
 * DynamoDB's Number: at most 38 significant digits, magnitude from 1E-130 to 9.99…E+125 (developer
 * guide, "Supported data types").
 */
const maximumDigits = 38;
const minExponent = -130;
const maxExponent = 125;

/** Literals up to this length have at most 15 significant digits, which every double represents (IEEE 754). */
const alwaysExactLength = 15;

const plainLiteral = /^-?\d+(\.\d+)?$/;
const literalPattern = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;

declare global {
  // ECMAScript 2026, "JSON.parse source text access"; in Node since 21, not yet in TypeScript's libraries.
  interface JSON {
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (
        this: unknown,
        key: string,
        value: unknown,
        context: { source?: string },
      ) => unknown,
    ): unknown;
  }
}

/** A number with more digits than a double has, as its shortest decimal literal. */
export class Decimal {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  /** Written into JSON as a number, digit for digit. */
  toJSON(): unknown {
    return JSON.rawJSON(this.digits);
  }
}

export type ExactNumber = number | Decimal;

/** @throws RangeError when the table cannot store the number exactly */
export function parseNumber(literal: string): ExactNumber {
  if (literal.length <= alwaysExactLength && plainLiteral.test(literal)) {
    const value = Number(literal);
    return value === 0 ? 0 : value; // the table has no negative zero
  }
  const canonical = canonicalDigits(literal);
  if (canonical === '0') return 0;
  const double = Number(literal);
  // Beyond the range where the largest numbers are rounded up; then it differs.
  return spell(partsOf(String(double))) === canonical ? double : new Decimal(canonical);
}

/** The value is sign 0.DIGITS × 10^point; without leading or trailing zeros, so zero has no digits. */
interface NumberParts {
  sign: '' | '-';
  digits: string;
  point: number;
}

function canonicalDigits(literal: string): string {
  const parts = partsOf(literal);
  const { digits, point } = parts;
  if (digits.length > maximumDigits) {
    throw new RangeError(`a number of ${digits.length} digits: at most ${maximumDigits} are kept`);
  }
  if (digits !== '' && (point - 1 < minExponent || point - 1 > maxExponent)) {
    throw new RangeError('a number out of range: its magnitude must be from 1E-130 to 9.9E+125');
  }
  return spell(parts);
}

function partsOf(literal: string): NumberParts {
  const match = literalPattern.exec(literal);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (match === null || whole + fraction === '') {
    throw new RangeError(`${literal} is not a number that can be stored`);
  }
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  const point = significant.length - fraction.length + Number(exponent);
  return { sign: sign === '-' ? '-' : '', digits, point };
}

/**
 * One spelling for each value: no leading or trailing zeros, no `+`; an exponent only where plain
 * digits would be long.
 */
function spell({ sign, digits, point }: NumberParts): string {
  return digits === '' ? '0' : sign + spellMagnitude(digits, point);
}

function spellMagnitude(digits: string, point: number): string {
  if (point > maximumDigits || point < -6) {
    const fraction = digits.slice(1);
    return `${digits.slice(0, 1)}${fraction === '' ? '' : `.${fraction}`}e${point - 1}`;
  }
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits.padEnd(point, '0');
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}
