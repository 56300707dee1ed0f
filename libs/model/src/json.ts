import { parseNumber } from './decimal.ts';

/** A number in JSON that the table could not hold as it is; `reason` says why. */
export class UnfitNumber {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Sixteen digits or an exponent: only then can a double differ from the literal. */
const mayLoseDigits = /[\d.]{16,}|\d[eE]/;

/**
 * JSON.parse, but numbers keep every digit (as `Decimal` where a double would not) and a number that
 * cannot be kept is an `UnfitNumber` in its place, so that what stands beside it survives. Of a key
 * given twice, the last counts.
 * @throws SyntaxError when the text is not JSON, RangeError when it is nested too deeply to walk.
 */
export function parseExactJson(text: string): unknown {
  if (!mayLoseDigits.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context) =>
    typeof value === 'number' && context.source !== undefined ? keep(context.source) : value,
  );
}

function keep(literal: string): unknown {
  try {
    return parseNumber(literal);
  } catch (error) {
    return new UnfitNumber((error as Error).message);
  }
}
