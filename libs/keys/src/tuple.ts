import { KeyError } from './key-error.ts';

/**
 * A key is a tuple of segments joined by `#`. Inside a segment each of U+0000 to U+0024 is written as `$` and the
 * character 0x30 higher. Therefore `#` is always a separator, and because it sorts below all characters of a segment,
 * tuples have the order of their keys' bytes.
 */
const separator = '#';
const escape = '$';
const escapeDistance = 0x30;
const mustEscape = /[\u0000-\u0024]/g;
const escaped = /\$(.?)/gs;

/** DynamoDB rejects an empty key, so a tuple needs a segment that is not empty, or several segments. */
export function encodeTuple(segments: readonly string[]): string {
  return segments.map(encodeSegment).join(separator);
}

/** @throws KeyError when `key` was not made by `encodeTuple`. */
export function decodeTuple(key: string): [string, ...string[]] {
  return key.split(separator).map(decodeSegment) as [string, ...string[]]; // split returns at least one text
}

/** The last segment. @throws KeyError when its text was not made by `encodeTuple`. */
export function lastSegment(key: string): string {
  return decodeSegment(key.slice(key.lastIndexOf(separator) + 1));
}

/** Undefined for a text that no `encodeTuple` returns, such as a key of another application. */
export function tryDecodeTuple(key: string): [string, ...string[]] | undefined {
  if (!key.isWellFormed()) return undefined;
  try {
    return decodeTuple(key);
  } catch {
    return undefined;
  }
}

/** The common prefix of all longer tuples with these first segments, and of no others: `dev1` never matches `dev10`. */
export function tuplePrefix(segments: readonly string[]): string {
  return encodeTuple(segments) + separator;
}

/** Escapes one segment. A prefix of the text gives a prefix of the encoding. */
export function encodeSegment(text: string): string {
  if (!text.isWellFormed()) throw new KeyError('text', 'has half of a surrogate pair');
  return text.replace(
    mustEscape,
    (character) => escape + String.fromCharCode(character.charCodeAt(0) + escapeDistance),
  );
}

function decodeSegment(segment: string): string {
  return segment.replace(escaped, (_, character: string) => {
    const code = character.charCodeAt(0) - escapeDistance;
    // Negated, so that the NaN of a missing character is refused as well.
    if (!(code >= 0 && code <= 0x24)) throw new KeyError('key', 'has a broken escape');
    return String.fromCharCode(code);
  });
}
