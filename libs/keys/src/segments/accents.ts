/** Marks after a Latin letter. In other scripts a mark makes another letter. */
const marksOfLatin = /(?<=\p{Script=Latin}\p{M}*)\p{M}+/gv;

/** Removes accents of Latin letters: `café` becomes `cafe`. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(marksOfLatin, '').normalize('NFC');
}
