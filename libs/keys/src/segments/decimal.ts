import { KeyError } from '../key-error.ts';

const literalPattern = /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,3}))?$/;
/** Of what `decimal` gives: the sign, three digits of the exponent, the digits; behind a negative number's, a character above them. */
const segmentPattern = /^(?:o|p(\d{3})(\d+)|n(\d{3})(\d+)~)$/;
/** Makes exponents of three digits, all of them positive: DynamoDB's numbers have -129 to 126. */
const exponentOffset = 500;

/**
 * A decimal literal with all of its digits, as a text whose order is the numbers' order: `n` before `o` (zero) before `p`, then the
 * exponent, then the digits. Of a negative number everything behind the sign is its complement, and its end is above all
 * digits, since of two such numbers the one with more digits is the lesser.
 * @throws KeyError naming `field` for what is no literal, or has an exponent beyond ±499
 */
export function decimal(field: string, literal: string): string {
  const match = literalPattern.exec(literal);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (match === null || whole + fraction === '') throw new KeyError(field, 'is not a number');
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return 'o';
  // The value is 0.DIGITS × 10^point.
  const point = significant.length - fraction.length + Number(exponent);
  const size = point + exponentOffset;
  if (size < 0 || size > 999) throw new KeyError(field, 'is out of range');
  const ordered = String(size).padStart(3, '0') + digits;
  return sign === '' ? `p${ordered}` : `n${complement(ordered)}~`;
}

/** The number as a literal of digits and an exponent. @throws KeyError for what `decimal` did not give */
export function parseDecimalSegment(field: string, text: string): string {
  const match = segmentPattern.exec(text);
  if (match === null) throw new KeyError(field, 'is not an encoded decimal');
  const [, exponent, digits, negativeExponent = '', negativeDigits = ''] = match;
  if (exponent !== undefined) return literalOf(exponent, digits ?? '');
  if (negativeExponent === '') return '0';
  return `-${literalOf(complement(negativeExponent), complement(negativeDigits))}`;
}

function literalOf(exponent: string, digits: string): string {
  return `0.${digits}e${Number(exponent) - exponentOffset}`;
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}
