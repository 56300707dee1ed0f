import { invariant } from '@engawa/errors';
import { Decimal, parseNumber } from '../values/decimal.ts';
import type { ExactNumber } from '../values/decimal.ts';

/** A number as `mantissa × 10^-scale`, both exact. */
interface Scaled {
  mantissa: bigint;
  scale: number;
}

/** Integers below this have at most 15 digits, which every double represents (IEEE 754). */
const exactBelow = 1e15;
/** Number of terms whose sum is exact in a double; more terms use a bigint. */
const flushAt = 2 ** 52;
/** Decimals of most measured values; tried before the literal is parsed. */
const usualScale = 6;
const powers = Array.from({ length: usualScale + 1 }, (_, scale) => 10 ** scale);
const usual = 'a usual scale has a sum and a power';

/** Digits of a quotient before it is rounded to the nearest double: enough for a count of milliseconds. */
const quotientDigits = 45;

/**
 * An exact sum of decimal numbers, independent of their order: 0.1 + 0.2 is 0.3. Terms with the same number of decimals
 * are added as integers, without a bigint while the sum fits a double.
 */
export class ExactSum {
  /** A sum of one double, kept as it is until a second term is added: most sums of rollups have no other term. */
  #only: number | undefined;
  /** By number of decimals. */
  #small: number[] | undefined;
  #large: Map<number, bigint> | undefined;

  /** @returns itself */
  add(value: ExactNumber): this {
    if (typeof value === 'number' && this.#isEmpty) {
      this.#only = value;
      return this;
    }
    this.#split();
    this.#addValue(value, 1);
    return this;
  }

  subtract(value: ExactNumber): this {
    this.#split();
    this.#addValue(value, -1);
    return this;
  }

  /** Adds the value the given number of times, a whole number. */
  addProduct(value: ExactNumber, times: number): this {
    this.#split();
    this.#addValue(value, times);
    return this;
  }

  addSum(other: ExactSum): this {
    if (other.#only !== undefined) return this.add(other.#only);
    this.#split();
    other.#small?.forEach((mantissa, scale) => this.#addSmall(mantissa, scale));
    for (const [scale, mantissa] of other.#large ?? []) this.#addLarge(mantissa, scale);
    return this;
  }

  /** As a number; a Decimal may have more than 38 digits, which the table rejects as a Number. */
  get value(): ExactNumber {
    if (this.#only !== undefined) return this.#only + 0;
    const simple = this.#simple();
    if (simple !== undefined) return simple.mantissa / simple.power;
    const { mantissa, scale } = this.#total();
    return exactNumber(spell(mantissa, scale));
  }

  /** -1, 0 or 1. */
  get sign(): number {
    const { mantissa } = this.#total();
    return mantissa < 0n ? -1 : mantissa > 0n ? 1 : 0;
  }

  /** The double nearest to the sum, multiplied by `times` and divided by a positive whole number. */
  dividedBy(count: number, times = 1): number {
    const simple = this.#simple();
    // The quotient of two whole numbers that doubles represent is the nearest double.
    if (simple !== undefined && simple.power * count < exactBelow) {
      const product = simple.mantissa * times;
      if (Math.abs(product) < exactBelow) return product / (simple.power * count) + 0;
    }
    const { mantissa, scale } = this.#total();
    const product = mantissa * BigInt(times);
    const quotient = (product * 10n ** BigInt(quotientDigits)) / BigInt(count);
    return Number(`${quotient}e${-scale - quotientDigits}`);
  }

  /** The sum as a fraction of whole numbers of at most 15 digits, if possible: the usual case. */
  #simple(): { mantissa: number; power: number } | undefined {
    if (this.#only !== undefined) return decimalOf(this.#only);
    if (this.#large !== undefined) return undefined;
    const small = this.#small ?? [];
    const scale = Math.max(0, small.length - 1);
    let mantissa = 0;
    for (let own = 0; own < small.length; own++) {
      const part = invariant(small[own], usual) * invariant(powers[scale - own], usual);
      // Sums of exact addends.
      if (Math.abs(part) >= exactBelow) return undefined;
      mantissa += part;
    }
    const power = invariant(powers[scale], usual);
    return Math.abs(mantissa) < exactBelow ? { mantissa: mantissa + 0, power } : undefined;
  }

  get #isEmpty(): boolean {
    return this.#only === undefined && this.#small === undefined && this.#large === undefined;
  }

  /** Adds the only term to the terms by number of decimals. */
  #split(): void {
    if (this.#only === undefined) return;
    const only = this.#only;
    this.#only = undefined;
    this.#addValue(only, 1);
  }

  /** Adds a whole multiple of a value. */
  #addValue(value: ExactNumber, times: number): void {
    const decimal = typeof value === 'number' ? decimalOf(value) : undefined;
    if (decimal === undefined) {
      const { mantissa, scale } = scaledLiteral(String(value));
      this.#addLarge(mantissa * BigInt(times), scale);
      return;
    }
    const { mantissa, scale } = decimal;
    const product = mantissa * times;
    if (Math.abs(product) < flushAt) this.#addSmall(product, scale);
    else this.#addLarge(BigInt(mantissa) * BigInt(times), scale);
  }

  #addSmall(mantissa: number, scale: number): void {
    this.#small ??= [];
    // Without gaps, which would make the array slow.
    while (this.#small.length <= scale) this.#small.push(0);
    const sum = invariant(this.#small[scale], usual) + mantissa;
    if (Math.abs(sum) < flushAt) {
      this.#small[scale] = sum;
    } else {
      this.#addLarge(BigInt(sum), scale);
      this.#small[scale] = 0;
    }
  }

  #addLarge(mantissa: bigint, scale: number): void {
    this.#large ??= new Map();
    this.#large.set(scale, (this.#large.get(scale) ?? 0n) + mantissa);
  }

  #total(): Scaled {
    this.#split();
    const terms = [...(this.#large ?? [])];
    this.#small?.forEach((mantissa, scale) => terms.push([scale, BigInt(mantissa)]));
    const scale = Math.max(0, ...terms.map(([own]) => own));
    const mantissa = terms.reduce(
      (sum, [own, term]) => sum + term * 10n ** BigInt(scale - own),
      0n,
    );
    return { mantissa, scale };
  }
}

/** `left - right`, exact. */
export function difference(left: ExactNumber, right: ExactNumber): ExactSum {
  return new ExactSum().add(left).subtract(right);
}

/** Negative, 0 or positive, exact. */
export function compareNumbers(left: ExactNumber, right: ExactNumber): number {
  // Doubles nearest to two numbers are in the order of the numbers, or equal.
  const [a, b] = [Number(left), Number(right)];
  if (a !== b || (typeof left === 'number' && typeof right === 'number')) return a - b;
  return difference(left, right).sign;
}

interface SmallDecimal {
  mantissa: number;
  scale: number;
  /** 10^scale. */
  power: number;
}

/** The decimal with few digits that a double was read from; undefined where it had more. */
function decimalOf(value: number): SmallDecimal | undefined {
  for (let scale = 0; scale <= usualScale; scale++) {
    const power = invariant(powers[scale], usual);
    const mantissa = Math.round(value * power) + 0;
    // The only decimal of at most 15 digits with this nearest double: the literal's value.
    if (Math.abs(mantissa) < exactBelow && mantissa / power === value) {
      return { mantissa, scale, power };
    }
  }
  return undefined;
}

function scaledLiteral(literal: string): Scaled {
  const [significand = '', exponent = '0'] = literal.split('e');
  const point = significand.indexOf('.');
  const scale = (point === -1 ? 0 : significand.length - point - 1) - Number(exponent);
  const mantissa = BigInt(significand.replace('.', ''));
  return scale >= 0
    ? { mantissa, scale }
    : { mantissa: mantissa * 10n ** BigInt(-scale), scale: 0 };
}

function spell(mantissa: bigint, scale: number): string {
  const sign = mantissa < 0n ? '-' : '';
  const digits = (mantissa < 0n ? -mantissa : mantissa).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return sign + whole + (fraction === '' ? '' : `.${fraction}`);
}

function exactNumber(literal: string): ExactNumber {
  try {
    return parseNumber(literal);
  } catch {
    return new Decimal(literal);
  }
}
