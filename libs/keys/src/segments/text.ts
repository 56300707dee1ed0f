import { KeyError } from '../key-error.ts';

/** An id's length in UTF-16 units: at most 384 bytes, so that three of them fit into any sort key. */
const maxIdLength = 128;

const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * The id of a device, room, place or entity: 1 to 128 characters of any script, no control characters, not
 * `.` or `..` (which URLs swallow). In Unicode normal form C.
 * @throws KeyError naming `field`
 */
export function id(field: string, value: string): string {
  const text = normalText(field, value);
  if (text.length === 0) throw new KeyError(field, 'is empty');
  if (text.length > maxIdLength) {
    throw new KeyError(field, `has ${text.length} characters, at most ${maxIdLength} are allowed`);
  }
  if (controlCharacter.test(text)) throw new KeyError(field, 'has a control character');
  if (text === '.' || text === '..') throw new KeyError(field, `must not be "${text}"`);
  return text;
}

/** Any well-formed text, in Unicode normal form C: the form of keys, and in which texts are compared. */
export function normalText(field: string, value: string): string {
  return wellFormedText(field, value).normalize('NFC');
}

/**
 * Any well-formed text, as written: normal form C replaces characters that are not the same to their users, such as
 * U+FA19 in Japanese names by U+795E.
 */
export function wellFormedText(field: string, value: string): string {
  if (!value.isWellFormed()) throw new KeyError(field, 'has half of a surrogate pair');
  return value;
}
