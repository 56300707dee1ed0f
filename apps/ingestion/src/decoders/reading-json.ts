import { parseExactJson, UnfitNumber } from '@engawa/model';
import { exact } from './quantities.ts';

/**
 * A text of JSON, or a word of C's printf and Python's json for a number that is not finite. A text that is open at the
 * end extends to the end of the payload: otherwise each quote in it would be tried.
 */
const stringOrNotFinite =
  /"(?:[^"\\]+|\\.?)*(?:"|$)|[-+]?(?<![\w.])(?:nan|inf(?:inity)?)(?![\w.])/gis;

/** A literal that stands for such a value: JSON has it, and no double. */
const beyondDoubles = '1e999999';

/**
 * `parseExactJson`, except that NaN and infinities are unfit numbers: the other values of the payload are usable.
 * @throws SyntaxError when the text is not JSON otherwise, RangeError when it is nested too deeply
 */
export function parseReadingJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const replaced = text.replace(stringOrNotFinite, (match) =>
      match.startsWith('"') ? match : beyondDoubles,
    );
    if (replaced === text) throw error;
    return parseReplaced(replaced, error);
  }
}

/** @param original the error for the text before the replacement */
function parseReplaced(replaced: string, original: SyntaxError): unknown {
  try {
    return JSON.parse(replaced, (_key, value: unknown, { source }) => {
      if (typeof value !== 'number' || source === undefined) return value;
      return source === beyondDoubles ? notFinite() : exact(source);
    });
  } catch (error) {
    throw error instanceof SyntaxError ? original : error;
  }
}

export function notFinite(): UnfitNumber {
  return new UnfitNumber('NaN or an infinity, which is not kept');
}
