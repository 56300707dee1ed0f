import { parseNumber } from './decimal.ts';

/** A number in JSON that the table could not store exactly; `reason` explains the cause. */
export class UnfitNumber {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Sixteen digits or an exponent: only then can a double differ from the literal. */
const mayLoseDigits = /[\d.]{16,}|\d[eE]/;

/**
 * JSON.parse with exact numbers (`Decimal` where a double is not exact). A number that cannot be stored becomes an
 * `UnfitNumber`, so that the rest of the document is usable. The last of duplicate keys wins.
 * @throws SyntaxError when the text is not JSON, RangeError when it is nested too deeply
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
