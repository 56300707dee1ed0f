/**
 * DynamoDB's Number: at most 38 significant digits, magnitude from 1E-130 to 9.99…E+125 (developer
 * guide, "Supported data types and naming rules"). The value is ±0.DIGITS × 10^point, where DIGITS
 * neither begins nor ends with 0.
 */
interface Decimal {
  isNegative: boolean;
  /** Empty for zero. */
  digits: string;
  point: number;
}

const maxDigits = 38;
const minExponent = -130;
const maxExponent = 125;

/** Canonical literals, which need no parsing; most numbers match. */
const plainInteger = /^(?:0|-?[1-9]\d{0,30})$/;
const literalPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** An invalid literal, with DynamoDB's error message. */
export class NumberError extends Error {}

/** The unique spelling of a value, in plain digits. @throws NumberError */
export function canonicalNumber(literal: string): string {
  return plainInteger.test(literal) ? literal : spell(parse(literal));
}

/** @throws NumberError if the sum has more than 38 digits or is out of range */
export function addNumbers(left: string, right: string, sign: 1 | -1): string {
  const [one, other] = [scaled(parse(left)), scaled(parse(right))];
  const scale = Math.min(one.scale, other.scale);
  const units =
    one.units * 10n ** BigInt(one.scale - scale) +
    BigInt(sign) * other.units * 10n ** BigInt(other.scale - scale);
  return spell(parse(`${units}e${scale}`));
}

/** A text that sorts like the number, by UTF-16 units; equal for equal numbers. */
export function numberOrder(literal: string): string {
  const { isNegative, digits, point } = parse(literal);
  if (digits === '') return '1';
  const magnitude = String(point + 200).padStart(3, '0') + digits;
  return isNegative ? `0${complement(magnitude)}~` : `2${magnitude}`;
}

/**
 * Size in bytes: about one per two significant digits, plus one, plus one for a minus sign
 * (developer guide, "DynamoDB item sizes").
 */
export function numberBytes(canonical: string): number {
  let first = -1;
  let last = -1;
  let digits = 0;
  for (let index = 0; index < canonical.length; index++) {
    const unit = canonical.charCodeAt(index);
    if (unit < 48 || unit > 57) continue;
    if (unit !== 48) {
      if (first < 0) first = digits;
      last = digits;
    }
    digits += 1;
  }
  const significant = first < 0 ? 0 : last - first + 1;
  return Math.ceil(significant / 2) + 1 + (canonical.startsWith('-') ? 1 : 0);
}

function parse(literal: string): Decimal {
  const match = literalPattern.exec(literal);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (match === null || whole + fraction === '') {
    throw new NumberError(
      `The parameter cannot be converted to a numeric value: ${literal.slice(0, 100)}`,
    );
  }
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return { isNegative: false, digits, point: 0 };
  if (digits.length > maxDigits) {
    throw new NumberError('Attempting to store more than 38 significant digits in a Number');
  }
  const point = significant.length - fraction.length + Number(exponent);
  if (point - 1 > maxExponent) throw outOfRange('overflow', 'larger');
  if (point - 1 < minExponent) throw outOfRange('underflow', 'smaller');
  return { isNegative: sign === '-', digits, point };
}

function outOfRange(what: string, side: string): NumberError {
  return new NumberError(
    `Number ${what}. Attempting to store a number with magnitude ${side} than supported range`,
  );
}

function spell({ isNegative, digits, point }: Decimal): string {
  if (digits === '') return '0';
  const sign = isNegative ? '-' : '';
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits.padEnd(point, '0');
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The value is units × 10^scale. */
function scaled({ isNegative, digits, point }: Decimal): { units: bigint; scale: number } {
  if (digits === '') return { units: 0n, scale: 0 };
  const units = BigInt(digits);
  return { units: isNegative ? -units : units, scale: point - digits.length };
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}
