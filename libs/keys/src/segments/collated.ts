import { byteLength } from '../byte-order.ts';
import { encodeSegment } from '../tuple.ts';
import { normalText } from './text.ts';

/**
 * Text in the form that people sort and search, without regard to case and width: `ｻｰﾓ` and `サーモ` are equal, as are
 * `Living` and `living`. One-way; an attribute keeps the original. Follows NFKC_Casefold (Unicode, chapter 3.13) as far
 * as JavaScript's case mappings allow: lower, upper, then lower case folds ẞ and ß to ss, and the final sigma is mapped
 * to σ.
 * The four letters I of Turkish (I, ı, İ, i) are one letter, as in full text: the upper case of i depends on the
 * language.
 */
export function collated(field: string, value: string): string {
  return normalText(field, value)
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/i\u0307+/g, 'i')
    .normalize('NFKC');
}

/** The longest prefix of `text`, in whole characters, whose encoding as a segment takes at most `bytes`. */
export function cutToFit(text: string, bytes: number): string {
  if (byteLength(encodeSegment(text)) <= bytes) return text;
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += byteLength(encodeSegment(character));
    if (used > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
