/** Decimal places that every number of a model has, in a whole number. */
const places = 40;
const unit = 10n ** BigInt(places);

const literal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A JSON number as a whole number of 10^-40, exact. */
export function scaled(text: string): bigint {
  const match = literal.exec(text);
  if (match === null) throw new Error(`not a number: ${text}`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = places - fraction.length + Number(exponent);
  if (shift < 0) throw new Error(`too many decimals: ${text}`);
  const magnitude = BigInt(whole + fraction) * 10n ** BigInt(shift);
  return sign === '-' ? -magnitude : magnitude;
}

/** The double nearest to a sum divided by a count. */
export function quotient(sum: bigint, count: number): number {
  const digits = (sum * 10n ** 40n) / BigInt(count);
  return Number(`${digits}e-${places + 40}`);
}

export function isNumber(text: string): boolean {
  return literal.test(text);
}

/** Equal texts for equal numbers. */
export function spelled(value: bigint): string {
  return `${value / unit}r${value % unit}`;
}

/** The double nearest to what `spelled` gave. */
export function plainValue(text: string): number {
  const [whole = '0', rest = '0'] = text.split('r');
  return Number(whole) + Number(rest) / Number(unit);
}
