import { KeyError } from '../key-error.ts';
import { number, parseNumberSegment } from './number.ts';

/** DIGITS × 10^exponent. */
interface Scaled {
  digits: bigint;
  exponent: number;
}

/** DynamoDB's limits of numbers. */
const maxDigits = 38;

/**
 * Characters after the encoding of a double. Between neighbouring doubles there are at most 4.5 × 10^24 numbers of 38
 * digits: less than 32^17.
 */
const offsetLength = 17;

const offsetPattern = /^[0-9a-v]{17}$/;
const doubleLength = 16;

const literalPattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * A number of up to 38 digits, in the order of size among all numbers, including encodings of `number`: the 16 digits
 * of the greatest double that is not above it; then its distance from that double.
 * @throws KeyError naming `field` where it has more digits
 */
export function exactNumber(field: string, literal: string): string {
  const exact = parse(field, literal);
  const nearest = Number(literal);
  const double = compare(spelled(nearest), exact) > 0 ? doubleBefore(nearest) : nearest;
  const start = spelled(double);
  if (compare(start, exact) === 0) return number(field, double);
  return number(field, double) + offset(field, exact, start);
}

/**
 * The number as a literal of digits and an exponent.
 * @throws KeyError for text that `exactNumber` did not make
 */
export function parseExactNumber(field: string, text: string): string {
  const double = parseNumberSegment(field, text.slice(0, doubleLength));
  const behind = text.slice(doubleLength);
  if (behind === '') return String(double);
  if (!offsetPattern.test(behind)) throw new KeyError(field, 'is not an encoded number');
  const start = spelled(double);
  const unit = unitOf(start);
  let distance = 0n;
  for (const character of behind) distance = distance * 32n + BigInt(parseInt(character, 32));
  return `${scale(start, unit) + distance}e${unit}`;
}

function offset(field: string, exact: Scaled, start: Scaled): string {
  const unit = unitOf(start);
  const distance = scale(exact, unit) - scale(start, unit);
  if (exact.exponent < unit) throw new KeyError(field, `has more than ${maxDigits} digits`);
  return distance.toString(32).padStart(offsetLength, '0');
}

/** The exponent of the distance's unit. */
function unitOf(start: Scaled): number {
  const magnitude = String(start.digits).replace('-', '').length + start.exponent;
  // A negative number may have an exponent below that of the double before it, so one more digit.
  return magnitude - maxDigits - 1;
}

function compare(left: Scaled, right: Scaled): number {
  const unit = Math.min(left.exponent, right.exponent);
  const difference = scale(left, unit) - scale(right, unit);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

/** As a multiple of 10^unit. */
function scale({ digits, exponent }: Scaled, unit: number): bigint {
  return exponent < unit ? digits : digits * 10n ** BigInt(exponent - unit);
}

function spelled(double: number): Scaled {
  return parse('number', String(double));
}

/**
 * Without trailing zeros.
 * @throws KeyError
 */
function parse(field: string, literal: string): Scaled {
  const match = literalPattern.exec(literal);
  if (match === null) throw new KeyError(field, 'is not a number');
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const all = (whole + fraction).replace(/^0+(?=\d)/, '');
  const digits = all.replace(/(?<=\d)0+$/, '');
  const dropped = all.length - digits.length;
  return {
    digits: BigInt(sign + digits),
    exponent: digits === '0' ? 0 : Number(exponent) - fraction.length + dropped,
  };
}

/** The next lower double; zero has none, since no number in the table is nearest to it. */
function doubleBefore(double: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  view.setBigInt64(0, view.getBigInt64(0) + (double > 0 ? -1n : 1n));
  return view.getFloat64(0);
}
